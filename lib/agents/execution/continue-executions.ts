import type { RunExecutionMessage } from "../messages.ts";
import type { ExecutionDeps } from "./context.ts";
import { continueExecution } from "./continue-execution.ts";

/**
 * Runs the executions of a message at the same time; see `continueExecution`. Rejects with the first failure
 * once all have ended: when the message is redelivered, the ended ones are not run again.
 * @param deadline when the function times out, Unix milliseconds
 */
export const continueExecutions = async (
  deps: ExecutionDeps,
  { tenantId, runs }: RunExecutionMessage,
  deadline: number,
): Promise<void> => {
  const outcomes = await Promise.allSettled(
    runs.map((run) => continueExecution(deps, { tenantId, ...run }, deadline)),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
};
