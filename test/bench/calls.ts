import type { Topic } from "./bench.ts";
import { type Count, type Counts, countUnit, medianCount } from "./count-unit.ts";
import { startCountedStack } from "./counted-stack.ts";
import { trackProcessorTime } from "./processor-time.ts";
import { describeCall } from "./trace.ts";
import { createUnits } from "./units.ts";

/** Calls, capacity units and other billed work per unit of work, counted behind a proxy. */
export const calls: Topic = async ({ short, trace }) => {
  const processor = trackProcessorTime();
  const stack = await startCountedStack({ ALLOW_PRIVATE_ADDRESSES: "true" });
  const { units, close } = await createUnits(stack, short ? [0, 1, 10] : [0, 1, 10, 100]);
  try {
    const counts: Counts = {};
    for (const unit of units) {
      const effort =
        short || unit.isLarge ? { warmups: 3, samples: 3 } : { warmups: 30, samples: 10 };
      const { counts: samples, calls: last } = await countUnit(stack, unit, effort, processor);
      const count = medianCount(samples);
      counts[unit.name] = count;
      if (trace) printTrace(unit.name, count, last.map(describeCall));
    }
    return {
      title: "calls: what one unit of work consumes, up to its end in the background",
      columns: [
        "unit of work",
        "calls",
        "write units",
        "read units",
        "slot calls",
        "SQS",
        "S3",
        "gateway",
        "invocations",
        "CPU, ms",
        "log, bytes",
      ],
      rows: Object.entries(counts).map(([name, count]) => [name, ...cellsOf(count)]),
      notes: [
        "Medians of units that ran one after another on warm functions. Calls and units are DynamoDB's. Slot calls renew",
        "the tenant's slots of a queue, at most every few seconds, and are not in calls and units. SQS: requests of 64 KB,",
        "with the receives and deletes of the pollers that had messages. CPU: processor time of the functions' threads.",
        "Sweeps and other jobs do not run.",
      ],
      data: counts,
    };
  } finally {
    await close();
    await stack.close();
    processor.stop();
  }
};

const cellsOf = (count: Count): number[] => [
  count.calls,
  count.writeUnits,
  count.readUnits,
  count.slotCalls,
  count.queueRequests + count.pollerRequests,
  count.bucketReads + count.bucketWrites,
  count.gatewayRequests,
  count.invocations,
  count.processorMs,
  count.logBytes,
];

const printTrace = (
  name: string,
  { calls: made, writeUnits, readUnits }: Count,
  lines: string[],
) => {
  console.log(`${name}: ${made} calls, ${writeUnits} write units, ${readUnits} read units`);
  for (const line of lines) console.log(`  ${line}`);
};
