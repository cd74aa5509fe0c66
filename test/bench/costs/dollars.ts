import type { Count, Counts } from "../count-unit.ts";
import { modelWaits } from "./model-waits.ts";
import type { PriceName, Prices } from "./prices.ts";
import type { StackFacts } from "./read-stack.ts";
import { estimateTraffic } from "./traffic.ts";

/** Inputs of all prices: the list prices and the stack that is deployed. */
export type Pricing = { prices: Prices; stack: StackFacts };

/** US dollars of a unit of work, by service. */
export type Dollars = {
  gateway: number;
  edge: number;
  lambda: number;
  dynamodb: number;
  sqs: number;
  s3: number;
  logs: number;
  scheduler: number;
};

const gigabyte = 1_000_000_000;

/** Returns the price of one piece in US dollars. */
export const getPrice = ({ prices }: Prices, name: PriceName): number =>
  prices[name].usd / prices[name].per;

/**
 * Estimates the milliseconds that Lambda bills, without waits for models: the processor time at the function's share
 * of a processor, and the waits for other services as if each call waited for the previous one.
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

/**
 * Returns the GB-seconds of the functions that wait for the models of a unit, with their own
 * memory.
 */
export const modelGigabyteSeconds = (
  { memoryMegabytes }: StackFacts,
  unit: string,
  modelSeconds: number,
): number =>
  (modelWaits[unit] ?? []).reduce((sum, { operation, waits }) => {
    const memory = memoryMegabytes.get(operation);
    if (memory === undefined) throw new Error(`There is no function ${operation}.`);
    return sum + waits * modelSeconds * (memory / 1_024);
  }, 0);

/** Returns what a unit of work costs, in US dollars, when each of its model calls takes `modelSeconds`. */
export const computeCost = (
  { prices, stack }: Pricing,
  unit: string,
  count: Count,
  modelSeconds = 0,
): Dollars => {
  const usd = (name: PriceName): number => getPrice(prices, name);
  const { requestBytes, responseBytes } = estimateTraffic(unit);
  const gigabyteSeconds =
    (billedMs(prices, count) / 1_000) * (prices.assumptions.memoryMegabytes / 1_024) +
    modelGigabyteSeconds(stack, unit, modelSeconds);
  const logBytes = count.logBytes + count.gatewayRequests * stack.accessLogBytes;
  return {
    gateway: count.gatewayRequests * usd("gatewayRequest"),
    edge:
      count.gatewayRequests *
      (usd("edgeRequest") +
        (responseBytes / gigabyte) * usd("edgeGigabyteOut") +
        (requestBytes / gigabyte) * usd("edgeGigabyteToOrigin")),
    lambda: count.invocations * usd("invocation") + gigabyteSeconds * usd("gigabyteSecond"),
    dynamodb:
      (count.writeUnits + count.slotCalls) * usd("writeUnit") + count.readUnits * usd("readUnit"),
    sqs: (count.queueRequests + count.pollerRequests) * usd("queueRequest"),
    s3: count.bucketWrites * usd("bucketWrite") + count.bucketReads * usd("bucketRead"),
    logs: (logBytes / gigabyte) * usd("logGigabyte"),
    scheduler: unit === "scheduled run" ? usd("schedule") : 0,
  };
};

/** Adds up the services. */
export const total = (dollars: Dollars): number =>
  Object.values(dollars).reduce((sum, amount) => sum + amount, 0);

/** A line of the idle month. */
export type IdleLine = { what: string; number: number; usd: number };

/** Returns the cost of an idle stack per month, without free tiers. */
export const idleMonth = (pricing: Pricing, { jobs }: Pick<Counts, "jobs">): IdleLine[] => {
  const { prices, stack } = pricing;
  const line = (what: string, number: number, price: PriceName): IdleLine => ({
    what,
    number,
    usd: number * getPrice(prices, price),
  });
  return [
    ...Object.entries(jobs).map(([name, { perMonth, ...count }]) => ({
      what: `job ${name}`,
      number: perMonth,
      usd: perMonth * total(computeCost(pricing, name, count)),
    })),
    line(
      `empty receives of ${stack.polledQueues} queues`,
      stack.polledQueues * prices.assumptions.idleReceivesPerMonth,
      "queueRequest",
    ),
    line(`metrics of ${stack.alarms} alarms`, stack.alarmMetrics, "alarmMetric"),
    line("dashboards", stack.dashboards, "dashboard"),
    line("KMS keys", stack.keys, "key"),
    line("secrets", stack.secrets, "secret"),
  ];
};
