import type { TenantId } from "../platform/db/tenant-id.ts";
import type { Send } from "../platform/queue/send.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { QueuedExecution } from "./carried.ts";
import { maxRunsPerMessage, type RunExecutionMessage } from "./messages.ts";

/**
 * Sends executions of a tenant to the workers, ten in a message. A failed send is only logged: recovery finds
 * the open executions and sends them again.
 */
export const enqueueExecutions = async (
  send: Send,
  tenantId: TenantId,
  executions: readonly QueuedExecution[],
): Promise<void> => {
  const messages = Array.from(
    { length: Math.ceil(executions.length / maxRunsPerMessage) },
    (_, at) => executions.slice(at * maxRunsPerMessage, (at + 1) * maxRunsPerMessage),
  );
  await Promise.all(messages.map((runs) => sendRuns(send, tenantId, runs)));
};

const sendRuns = async (
  send: Send,
  tenantId: TenantId,
  executions: readonly QueuedExecution[],
): Promise<void> => {
  const runs = executions.map(({ agentId, id, agent, input }) => ({
    agentId,
    executionId: id,
    ...(agent && { agent }),
    ...(input && { input }),
  }));
  const message: RunExecutionMessage = { type: "run-execution", tenantId, runs };
  try {
    await send("executions", tenantId, message);
  } catch (error) {
    const executionIds = executions.map(({ id }) => id);
    log().warn("executions could not be queued", { executionIds, error: asError(error) });
  }
};
