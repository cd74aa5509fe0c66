import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { RunExecutionMessage } from "../messages.ts";

/**
 * Sends an execution to the workers. A failed send is only logged: recovery finds the open execution and sends
 * it again.
 */
export const enqueueExecution = async (
  send: Send,
  tenantId: TenantId,
  { agentId, id }: { agentId: string; id: string },
): Promise<void> => {
  const message: RunExecutionMessage = {
    type: "run-execution",
    tenantId,
    agentId,
    executionId: id,
  };
  try {
    await send("executions", tenantId, message);
  } catch (error) {
    log().warn("execution could not be queued", { executionId: id, error: asError(error) });
  }
};
