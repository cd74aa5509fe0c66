import type { Count, Counts } from "../count-unit.ts";
import type { PriceName, Prices } from "./prices.ts";

/** US dollars of a unit of work, by service. */
export type Dollars = {
  gateway: number;
  lambda: number;
  dynamodb: number;
  sqs: number;
  s3: number;
  logs: number;
  scheduler: number;
};

const gigabyte = 1_000_000_000;

/** Returns the price of one piece in US dollars. */
export const priceOf = ({ prices }: Prices, name: PriceName): number =>
  prices[name].usd / prices[name].per;

/**
 * Estimates the milliseconds that Lambda bills: the processor time at the function's share of a processor, and the
 * waits for other services as if each call waited for the previous one.
 */
export const billedMs = ({ assumptions }: Prices, count: Count): number => {
  const share = Math.min(1, assumptions.memoryMegabytes / assumptions.megabytesPerProcessor);
  return (
    count.processorMs / share +
    (count.calls + count.slotCalls) * assumptions.databaseCallMs +
    count.queueRequests * assumptions.queueCallMs +
    (count.bucketReads + count.bucketWrites) * assumptions.bucketCallMs
  );
};

/** Returns what a unit of work costs, in US dollars. */
export const dollarsOf = (
  prices: Prices,
  count: Count,
  { isScheduled = false }: { isScheduled?: boolean } = {},
): Dollars => {
  const usd = (name: PriceName): number => priceOf(prices, name);
  const gigabyteSeconds =
    (billedMs(prices, count) / 1_000) * (prices.assumptions.memoryMegabytes / 1_024);
  return {
    gateway: count.gatewayRequests * usd("gatewayRequest"),
    lambda: count.invocations * usd("invocation") + gigabyteSeconds * usd("gigabyteSecond"),
    dynamodb:
      (count.writeUnits + count.slotCalls) * usd("writeUnit") + count.readUnits * usd("readUnit"),
    sqs: (count.queueRequests + count.pollerRequests) * usd("queueRequest"),
    s3: count.bucketWrites * usd("bucketWrite") + count.bucketReads * usd("bucketRead"),
    logs: (count.logBytes / gigabyte) * usd("logGigabyte"),
    scheduler: isScheduled ? usd("schedule") : 0,
  };
};

/** Adds up the services. */
export const total = (dollars: Dollars): number =>
  Object.values(dollars).reduce((sum, each) => sum + each, 0);

/** A line of the idle month. */
export type IdleLine = { what: string; number: number; usd: number };

/** Returns what a stack costs in a month in which nobody uses it, without free tiers. */
export const idleMonth = (prices: Prices, { jobs, resources }: Counts): IdleLine[] => {
  const of = (type: string): number => resources[type] ?? 0;
  const receives = of("AWS::Lambda::EventSourceMapping") * prices.assumptions.idleReceivesPerMonth;
  return [
    ...Object.entries(jobs).map(([name, { perMonth, ...count }]) => ({
      what: `job ${name}`,
      number: perMonth,
      usd: perMonth * total(dollarsOf(prices, count)),
    })),
    {
      what: `empty receives of ${of("AWS::Lambda::EventSourceMapping")} queues`,
      number: receives,
      usd: receives * priceOf(prices, "queueRequest"),
    },
    {
      what: "alarms",
      number: of("AWS::CloudWatch::Alarm"),
      usd: of("AWS::CloudWatch::Alarm") * priceOf(prices, "alarm"),
    },
    {
      what: "KMS keys",
      number: of("AWS::KMS::Key"),
      usd: of("AWS::KMS::Key") * priceOf(prices, "key"),
    },
  ];
};
