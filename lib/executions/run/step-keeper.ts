import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import {
  type ExecutionDeps,
  type Job,
  jobSecrets,
  maskInTrace,
  putSteps,
  toExecutionKey,
} from "../record/execution-record.ts";

/**
 * Keeps the finished steps of a run and of its sub-agents' runs: in memory while a caller waits, in the table
 * once the run is in the background. A step that only computes is stored with the next one that has an effect or
 * calls a model: alone it would be as cheap to repeat.
 */
export type StepKeeper = {
  keep: (job: Job, outcome: StepOutcome) => Promise<void>;
  /** Resolves when all earlier finished steps are stored; keeps those whose write failed. */
  toBackground: () => Promise<void>;
  /** Deletes what the run stored in the bucket; items expire. Best effort. */
  forget: () => Promise<void>;
};

type Finished = { job: Job; outcome: StepOutcome };

/** Types of steps that only compute, and whose repetition costs nothing. */
const computing: ReadonlySet<string> = new Set(["Condition", "ForEach", "Output", "Transform"]);

const isWorthStoring = ({ outcome }: Finished): boolean =>
  outcome.spans.some(({ type }) => !computing.has(type));

/** Creates the step keeper of one run. */
export const stepKeeper = (
  { db, objects, runtime }: ExecutionDeps,
  startsInBackground: boolean,
): StepKeeper => {
  let inBackground = startsInBackground;
  const unwritten = new Set<Finished>();
  const stored: string[] = [];

  const write = async (steps: readonly Finished[]): Promise<void> => {
    const first = steps.find(isWorthStoring);
    if (!first) return;
    const { item } = first.job;
    const secrets = jobSecrets(first.job).inTraces;
    // The output stays as it is: a resumed run needs it.
    const outcomes = steps.map(({ outcome }) => ({
      ...outcome,
      spans: maskInTrace(outcome.spans, secrets),
    }));
    for (const step of steps) unwritten.delete(step);
    try {
      const name = first.outcome.stepId;
      const storage = { db, objects };
      const object = await putSteps(
        storage,
        toExecutionKey(item),
        { name, outcomes },
        runtime.clock(),
      );
      if (object) stored.push(object);
    } catch (error) {
      for (const step of steps) unwritten.add(step);
      throw error;
    }
  };
  const writeAll = async (): Promise<void> => {
    const byExecution = Map.groupBy(unwritten, ({ job }) => job.item.id);
    // Waits for all writes before it throws the first failure.
    const writes = await Promise.allSettled(byExecution.values().map(write).toArray());
    for (const each of writes) if (each.status === "rejected") throw each.reason;
  };

  return {
    keep: async (job, outcome) => {
      const step = { job, outcome };
      unwritten.add(step);
      if (inBackground && isWorthStoring(step)) await writeAll();
    },
    toBackground: async () => {
      inBackground = true;
      await writeAll();
    },
    forget: async () => {
      try {
        await objects.remove(stored);
      } catch (error) {
        log("steps-not-deleted", { error: asError(error) });
      }
    },
  };
};
