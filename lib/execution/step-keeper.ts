import type { StepOutcome } from "../flow/flow-result.ts";
import { putStep } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./execution-deps.ts";
import type { Job } from "./job.ts";

/**
 * Keeps the finished steps of a run and of the sub-agents' runs in it: in memory while somebody waits for
 * the answer, in the table from when it goes on in the background, so that nobody repeats them.
 */
export type StepKeeper = {
  keep: (job: Job, outcome: StepOutcome) => Promise<void>;
  /** Resolves when every step that was finished before is in the table. */
  toBackground: () => Promise<void>;
  isInBackground: () => boolean;
};

/** A keeper for one run. */
export const stepKeeper = (
  { db, objects, runtime }: ExecutionDeps,
  startsInBackground: boolean,
): StepKeeper => {
  let inBackground = startsInBackground;
  let finished: { job: Job; outcome: StepOutcome }[] = [];
  const write = ({ tenantId, item }: Job, outcome: StepOutcome): Promise<void> => {
    const place = { tenantId, agentId: item.agentId, executionId: item.id };
    return putStep({ db, objects }, place, outcome, runtime.clock());
  };
  return {
    keep: async (job, outcome) => {
      if (inBackground) await write(job, outcome);
      else finished.push({ job, outcome });
    },
    toBackground: async () => {
      inBackground = true;
      const open = finished;
      finished = [];
      await Promise.all(open.map(({ job, outcome }) => write(job, outcome)));
    },
    isInBackground: () => inBackground,
  };
};
