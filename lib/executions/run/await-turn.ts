import type { ExecutionDeps } from "../job/job.ts";
import {
  claimExecution,
  leaseMs,
  maxExecutionMs,
  type OpenExecution,
} from "../lease/execution-lease.ts";
import type { StoredExecution } from "../record/execution-record.ts";
import type { ExecutionKey } from "../record/keys.ts";
import { readOutcome } from "../record/results.ts";
import { getExecution } from "../record/store.ts";
import type { RunEnd } from "./run-context.ts";

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** The outcome of waiting for a turn: the caller runs the execution, or it has ended, or neither in time. */
export type AwaitedTurn =
  | { claimed: OpenExecution }
  | { end: RunEnd; execution: StoredExecution }
  | "late";

/**
 * Waits with the caller of an execution until it has its turn in its session, and claims it then. A worker that is faster
 * runs it, and its end is waited for. "late" after `until`, Unix milliseconds, or when the caller has left.
 */
export const awaitTurn = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "sleep">,
  {
    key,
    owner,
    until,
    hasLeft,
  }: { key: ExecutionKey; owner: string; until: number; hasLeft: () => boolean },
): Promise<AwaitedTurn> => {
  const { db, runtime, sleep } = deps;
  const neverAborted = new AbortController().signal;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    const left = until - runtime.clock();
    if (left <= 0 || hasLeft()) return "late";
    await sleep(Math.min(pauseMs, left), neverAborted);
    const execution = await getExecution(db, key.tenantId, key.agentId, key.executionId);
    if (!execution) return "late";
    const outcome = await readOutcome(deps, execution);
    if (outcome) return { end: outcome, execution };
    if (execution.item.status === "Waiting") return { end: "open", execution };
    if (execution.lease?.owner !== null) continue;
    const now = runtime.clock();
    const claim = { owner, now, leaseUntil: now + leaseMs, endsBy: now + maxExecutionMs };
    const claimed = await claimExecution(db, key, claim);
    if (claimed) return { claimed };
  }
};
