import { isInSample } from "../agents/agent/online-evaluation.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { ExecutionDeps } from "./context.ts";
import type { Job } from "./job.ts";
import type { EvaluateExecutionMessage } from "./messages.ts";
import type { ExecutionStatus } from "./schemas.ts";

/** The end is recorded right after the message was sent. */
const delaySeconds = 2;

/**
 * Asks for a succeeded execution to be scored, if its agent has an online evaluation and it is in the sample. Sent before
 * the end is recorded, so that a crash between the two loses nothing: an execution that has not ended is scored later.
 * Never throws.
 */
export const requestEvaluation = async (
  { send }: Pick<ExecutionDeps, "send">,
  { tenantId, agent, item }: Pick<Job, "tenantId" | "agent" | "item">,
  status: ExecutionStatus,
): Promise<void> => {
  const { onlineEvaluation } = agent;
  if (!onlineEvaluation || item.isSample || status !== "Succeeded") return;
  if (!isInSample(item.id, onlineEvaluation)) return;
  const { agentId, id: executionId } = item;
  const message: EvaluateExecutionMessage = {
    type: "evaluate-execution",
    tenantId,
    agentId,
    executionId,
  };
  try {
    await send("evaluations", tenantId, message, delaySeconds);
  } catch (error) {
    log().warn("an execution will not be scored", { executionId, error: asError(error) });
  }
};
