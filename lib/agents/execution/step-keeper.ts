import type { StepOutcome } from "../../engine/flow/flow-result.ts";
import { putStep } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import type { Job } from "./job.ts";
import { maskInTrace, secretValues } from "./mask-in-trace.ts";

/**
 * Keeps the finished steps of a run and of its sub-agents' runs: in memory while a caller waits, in the table
 * once the run is in the background.
 */
export type StepKeeper = {
  keep: (job: Job, outcome: StepOutcome) => Promise<void>;
  /** Resolves when all earlier finished steps are stored; keeps those whose write failed. */
  toBackground: () => Promise<void>;
  isInBackground: () => boolean;
};

type Finished = { job: Job; outcome: StepOutcome };

/** Creates the step keeper of one run. */
export const stepKeeper = (
  { db, objects, runtime }: ExecutionDeps,
  startsInBackground: boolean,
): StepKeeper => {
  let inBackground = startsInBackground;
  const unwritten = new Set<Finished>();
  const write = async (step: Finished): Promise<void> => {
    const { tenantId, item, revision, values } = step.job;
    const place = { tenantId, agentId: item.agentId, executionId: item.id };
    const secrets = secretValues(revision.content.parametersMetadata, values);
    // The output stays as it is: a resumed run needs it.
    const outcome = { ...step.outcome, spans: maskInTrace(step.outcome.spans, secrets) };
    await putStep({ db, objects }, place, outcome, runtime.clock());
    unwritten.delete(step);
  };
  return {
    keep: async (job, outcome) => {
      const step = { job, outcome };
      unwritten.add(step);
      if (inBackground) await write(step);
    },
    toBackground: async () => {
      inBackground = true;
      // Waits for all writes before it throws the first failure.
      const writes = await Promise.allSettled([...unwritten].map(write));
      for (const each of writes) if (each.status === "rejected") throw each.reason;
    },
    isInBackground: () => inBackground,
  };
};
