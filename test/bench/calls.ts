import type { Bench, Topic } from "./bench.ts";
import { asCollaborator } from "./collaborator.ts";
import { type Count, type Counts, countUnit, medianCount } from "./count-unit.ts";
import { type CountedStack, startCountedStack } from "./counted-stack.ts";
import { unitsByPartition } from "./partitions.ts";
import { type ProcessorTime, trackProcessorTime } from "./processor-time.ts";
import { countRates } from "./rates.ts";
import { describeCall } from "./trace.ts";
import { createJobs, createUnits, type Unit } from "./units.ts";

/** Calls, capacity units and other billed work per unit of work, counted behind a proxy. */
export const calls: Topic = async (bench) => {
  const processor = trackProcessorTime();
  const stack = await asCollaborator(await startCountedStack({ ALLOW_PRIVATE_ADDRESSES: "true" }));
  const { units, close } = await createUnits(stack, bench.short ? [0, 1, 10] : [0, 1, 10, 100]);
  try {
    const counts: Counts = { units: {}, jobs: {}, rates: {} };
    for (const unit of units) {
      counts.units[unit.name] = await countAndTrace(bench, stack, unit, processor);
    }
    for (const { perMonth, ...job } of createJobs(stack)) {
      counts.jobs[job.name] = {
        ...(await countAndTrace(bench, stack, { ...job, isLarge: true }, processor)),
        perMonth,
      };
    }
    if (!bench.short) counts.rates = await countRates(stack, processor);
    const rates = Object.entries(counts.rates).map(
      ([perSecond, count]) => [`push, 1 agent, ${perSecond} per second`, count] as const,
    );
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
      rows: [...Object.entries({ ...counts.units, ...counts.jobs }), ...rates].map(
        ([name, count]) => [name, ...toCells(count)],
      ),
      notes: [
        "Medians of units that ran one after another on warm functions. Calls and units are DynamoDB's. Slot calls take",
        "or renew the tenant's slots of a queue or an operation, for 15 seconds, and are not in calls and units. SQS: requests of 64 KB,",
        "with the receives and deletes of the pollers that had messages. CPU: processor time of the functions' threads.",
        "The jobs run by themselves, with nothing to do; they do not run during the others. The last rows are those of one push of many.",
      ],
      data: counts,
    };
  } finally {
    await close();
    await stack.close();
    processor.stop();
  }
};

const countAndTrace = async (
  { short, trace }: Bench,
  stack: CountedStack,
  unit: Unit,
  processor: ProcessorTime,
): Promise<Count> => {
  const effort = short || unit.isLarge ? { warmups: 3, samples: 3 } : { warmups: 30, samples: 10 };
  const { counts, calls: last } = await countUnit(stack, unit, effort, processor);
  const count = medianCount(counts);
  if (trace) {
    const { calls: made, writeUnits, readUnits } = count;
    console.log(`${unit.name}: ${made} calls, ${writeUnits} write units, ${readUnits} read units`);
    for (const call of last) console.log(`  ${describeCall(call)}`);
    for (const [partition, units] of unitsByPartition(last)) {
      console.log(`  writes to ${partition}: ${units} WU`);
    }
  }
  return count;
};

const toCells = (count: Count): number[] => [
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
