import type { ExecutionDeps } from "../executions/job/job.ts";
import type { StoredExecution } from "../executions/record/execution-record.ts";
import type { ExecutionKey } from "../executions/record/keys.ts";
import { getExecution } from "../executions/record/store.ts";
import { finalStatuses } from "../executions/schemas.ts";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** An execution to watch, as it was read. Times in Unix milliseconds. */
export type Watched = {
  key: ExecutionKey;
  from: StoredExecution;
  until: number;
  hasLeft: () => boolean;
};

/**
 * Yields an execution whenever its status has changed, until it has ended or begins to wait, and not longer than its watcher
 * stays. Ends for one that is deleted.
 */
export async function* watchExecution(
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  { key, from, until, hasLeft }: Watched,
): AsyncGenerator<StoredExecution> {
  const neverAborted = new AbortController().signal;
  let { status } = from.item;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const left = until - runtime.clock();
    if (left <= 0 || hasLeft()) return;
    await sleep(Math.min(pauseMs, left), neverAborted);
    const execution = await getExecution(db, key.tenantId, key.agentId, key.executionId);
    if (!execution) return;
    if (execution.item.status === status) continue;
    status = execution.item.status;
    yield execution;
    if (finalStatuses.has(status) || status === "Waiting") return;
  }
}
