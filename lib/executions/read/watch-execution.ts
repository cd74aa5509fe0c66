import type { ExecutionDeps } from "../job/job.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import type { ExecutionKey } from "../record/keys.ts";
import { getExecution } from "../record/store.ts";
import { finalStatuses } from "../schemas.ts";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** An execution to watch, as it was read. Times in Unix milliseconds. */
export type Watched = {
  key: ExecutionKey;
  from: StoredExecution;
  until: number;
  hasLeft: () => boolean;
  /** Whether it is watched also while it waits; by default the watch ends when a wait begins. */
  throughWaits?: boolean;
};

/**
 * Yields an execution whenever its status has changed, it has begun another wait or a wait was answered; until it has ended or
 * begins to wait, and not longer than its watcher stays. Through waits, it also yields one that runs after a wait whenever it is read.
 * Ends for one that is deleted.
 */
export async function* watchExecution(
  { db, runtime, sleep }: Pick<ExecutionDeps, "db" | "runtime" | "sleep">,
  { key, from, until, hasLeft, throughWaits = false }: Watched,
): AsyncGenerator<StoredExecution> {
  if (finalStatuses.has(from.item.status)) return;
  const neverAborted = new AbortController().signal;
  let phase = toPhase(from);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const left = until - runtime.clock();
    if (left <= 0 || hasLeft()) return;
    await sleep(Math.min(pauseMs, left), neverAborted);
    const execution = await getExecution(db, key.tenantId, key.agentId, key.executionId);
    if (!execution) return;
    const { status, hasWaited } = execution.item;
    // A branch that begins to wait while others run changes no phase.
    const mayAsk = throughWaits && hasWaited === true && status !== "Waiting";
    if (toPhase(execution) === phase && !mayAsk) continue;
    phase = toPhase(execution);
    yield execution;
    if (finalStatuses.has(status) || (status === "Waiting" && !throughWaits)) return;
  }
}

/** A run between two waits may be shorter than a pause: the status is the same before and after it. */
const toPhase = ({ item: { status, waits = 0, answers = 0 } }: StoredExecution): string =>
  `${status} ${waits} ${answers}`;
