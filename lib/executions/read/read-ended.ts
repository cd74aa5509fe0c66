import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionKey } from "../record/keys.ts";
import { getAgentAndExecution } from "../record/store.ts";
import { finalStatuses } from "../schemas.ts";

/** An execution that has ended, and its agent. */
export type EndedExecution = NonNullable<Awaited<ReturnType<typeof getAgentAndExecution>>>;

/** Pauses in which an execution that has not ended is read again: its end is recorded after the message was sent. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/**
 * Reads an execution and its agent when it has ended; undefined when it, or its agent, was deleted. Waits a little for the end;
 * rejects when there is none.
 */
export const readEnded = async (
  { db, sleep }: Pick<ExecutionDeps, "db" | "sleep">,
  { tenantId, agentId, executionId }: ExecutionKey,
): Promise<EndedExecution | undefined> => {
  const { signal } = new AbortController();
  for (const pauseMs of [...pausesMs, undefined]) {
    const found = await getAgentAndExecution(db, tenantId, agentId, executionId);
    if (!found || finalStatuses.has(found.execution.item.status)) return found;
    if (pauseMs !== undefined) await sleep(pauseMs, signal);
  }
  throw new Error(`the execution ${executionId} has not ended`);
};
