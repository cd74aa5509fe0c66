import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { logDelayMilliseconds } from "../../infra/local/functions/log-delay.ts";
import { type CountedInvocation, type CountedStack, defaultPrefix } from "./counted-stack.ts";
import type { CountedCall } from "./counting-proxy.ts";
import type { ProcessorTime } from "./processor-time.ts";
import { median } from "./statistics.ts";
import type { Unit } from "./units.ts";

/** Consumption of one unit of work. */
export const Count = z.object({
  /** Round trips to DynamoDB; a transaction or batch is one. */
  calls: z.number(),
  writeUnits: z.number(),
  readUnits: z.number(),
  /**
   * Calls for a tenant's slot in a queue, which take one write unit and depend on time: not in
   * `calls`.
   */
  slotCalls: z.number(),
  /** SQS requests of the functions, one per 64 KB. */
  queueRequests: z.number(),
  /** Receives with messages and deletes of the functions' pollers, one request per 64 KB. */
  pollerRequests: z.number(),
  bucketReads: z.number(),
  bucketWrites: z.number(),
  /** Requests to API Gateway. */
  gatewayRequests: z.number(),
  invocations: z.number(),
  /** Milliseconds of processor time of the functions' threads. */
  processorMs: z.number(),
  /** Bytes that the functions write to their logs. */
  logBytes: z.number(),
});
export type Count = z.output<typeof Count>;

/** Counts of a stack: units of work, the jobs of an idle stack, and deliveries by their rate. */
export const Counts = z.object({
  units: z.record(z.string(), Count),
  jobs: z.record(z.string(), Count.extend({ perMonth: z.number() })),
  /** Of a push to one agent, by the number of pushes per second. */
  rates: z.record(z.string(), Count),
});
export type Counts = z.output<typeof Counts>;

/**
 * Counts a unit of work on warm functions; returns each count, and the calls of the last one. Without `processor`, counts neither
 * processor time nor logs, which takes longer.
 */
export const countUnit = async (
  stack: CountedStack,
  { prepare, work }: Unit,
  { warmups, samples }: { warmups: number; samples: number },
  processor?: ProcessorTime,
): Promise<{ counts: Count[]; calls: CountedCall[] }> => {
  for (let turn = 0; turn < warmups; turn += 1) {
    await prepare?.();
    await work();
    await stack.settled();
  }
  const counts: Count[] = [];
  let calls: CountedCall[] = [];
  let before = await measure(stack, processor);
  for (let turn = 0; turn < samples; turn += 1) {
    if (prepare) {
      await prepare();
      await stack.settled();
      before = await measure(stack, processor);
    }
    stack.takeCalls();
    stack.takeInvocations();
    await work();
    await stack.settled();
    calls = stack.takeCalls();
    const invocations = countInvocations(stack.takeInvocations());
    const after = await measure(stack, processor);
    counts.push({
      ...countCalls(calls),
      ...invocations,
      processorMs: (after.processor - before.processor) / 1_000,
      logBytes: after.log - before.log,
    });
    before = after;
  }
  return { counts, calls };
};

/** Returns the median of each member. */
export const medianCount = (counts: readonly Count[]): Count =>
  Count.parse(
    Object.fromEntries(
      Object.keys(Count.shape).map((name) => [
        name,
        median(counts.map((count) => Reflect.get(count, name))),
      ]),
    ),
  );

/** Returns the part of a count that one of `units` units has. */
export const divideCount = (count: Count, units: number): Count =>
  Count.parse(
    Object.fromEntries(Object.entries(count).map(([name, value]) => [name, value / units])),
  );

/** Adds up the calls of functions and pollers to AWS services. */
export const countCalls = (calls: readonly CountedCall[]) => {
  const all = calls.filter(({ service }) => service === "dynamodb");
  const storage = all.filter((call) => !isForSlot(call));
  const queue = calls.filter(({ service }) => service === "sqs");
  const bucket = calls.filter(({ service }) => service === "s3");
  const bucketReads = bucket.filter(({ operation }) => operation === "GET" || operation === "HEAD");
  return {
    calls: storage.length,
    writeUnits: sum(storage, ({ writeUnits }) => writeUnits),
    readUnits: sum(storage, ({ readUnits }) => readUnits),
    slotCalls: all.length - storage.length,
    queueRequests: sum(
      queue.filter((call) => !isOfPoller(call)),
      countQueueRequests,
    ),
    pollerRequests: sum(queue.filter(isOfPoller), countQueueRequests),
    bucketReads: bucketReads.length,
    bucketWrites: bucket.length - bucketReads.length,
  };
};

const isForSlot = ({ body }: CountedCall): boolean => body.includes('"pk":{"S":"SLOTS#');

const countInvocations = (invocations: readonly CountedInvocation[]) => ({
  invocations: invocations.length,
  gatewayRequests: invocations.filter(({ isRequest }) => isRequest).length,
});

/** SQS bills each 64 KB of a request. Pollers' empty receives count as idle work. */
const billedBytes = 65_536;
const Received = z.object({ Messages: z.array(z.unknown()).default([]) });

const isOfPoller = ({ operation }: CountedCall): boolean =>
  operation === "ReceiveMessage" || operation.startsWith("DeleteMessage");

const countQueueRequests = ({ operation, body, response }: CountedCall): number => {
  if (operation !== "ReceiveMessage") return Math.max(1, Math.ceil(body.length / billedBytes));
  const { Messages } = Received.parse(JSON.parse(response.toString("utf8")));
  return Messages.length === 0 ? 0 : Math.ceil(response.length / billedBytes);
};

/** Measures what the functions have used and logged so far. */
const measure = async (stack: CountedStack, processor: ProcessorTime | undefined) => {
  if (!processor) return { processor: 0, log: 0 };
  // Before that, the logs lack lines of the last invocations, which the next count would have instead.
  await sleep(2 * logDelayMilliseconds);
  const used = sum([...(await processor.read())], ([name, microseconds]) =>
    name.startsWith(`${defaultPrefix}-`) ? microseconds : 0,
  );
  return { processor: used, log: logSize(stack) };
};

const logSize = ({ dataDir }: CountedStack): number => {
  const logs = join(dataDir, "logs");
  return sum(readdirSync(logs), (name) => statSync(join(logs, name)).size);
};

const sum = <Value>(values: readonly Value[], of: (value: Value) => number): number =>
  values.reduce((total, value) => total + of(value), 0);
