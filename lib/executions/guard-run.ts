import { allGuards, type SpendGuard } from "../engine/flow/spend-guard.ts";
import { StepError } from "../engine/flow/step-error.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Combines the guards of a run; undefined for none. When storage fails, the run is handed over, so that another one
 * continues it and the calls that it has made are counted.
 */
export const guardRun = (
  guards: readonly (SpendGuard | undefined)[],
  { handOver }: Pick<RunContext, "handOver">,
): SpendGuard | undefined => {
  const guard = allGuards(guards);
  return (
    guard && {
      checkUnpriced: guard.checkUnpriced,
      reserve: async (spending) => {
        try {
          await guard.reserve(spending);
        } catch (error) {
          if (!(error instanceof StepError)) handOver.abort();
          throw error;
        }
      },
    }
  );
};
