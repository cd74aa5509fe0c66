import { conflict, notFound } from "../../platform/http/problems.ts";
import { cancelExecutionItem } from "../end/end-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import { isOpen, type StoredExecution } from "../record/execution-record.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { toExecutionResult } from "../record/results.ts";
import { getKeptExecution } from "../record/store.ts";
import { cancelWaitingItem } from "../record/waiting-store.ts";
import type { ExecutionResult, Trigger } from "../schemas.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { sendWake } from "../wait/send-wake.ts";

/** The caller of a cancelled sub-agent is woken after the cancellation is written. */
const wakeDelayMs = 1_000;

type CancelDeps = Pick<ExecutionDeps, "db" | "runtime" | "send"> & {
  authorize?: (trigger: Trigger | undefined) => void;
};

/**
 * Cancels an execution immediately; its run stops within seconds and then records its usage, or a worker that of a
 * waiting one. The caller of a sub-agent continues. Throws 404, and 409 for an execution that has ended.
 * @param deps `authorize` throws 403 when the caller may not cancel what was started so; undefined for no execution
 */
export const cancelExecution = async (
  deps: CancelDeps,
  key: ExecutionKey,
): Promise<ExecutionResult> => toExecutionResult((await cancelStoredExecution(deps, key)).item);

/** As `cancelExecution`; returns the execution as it is stored. */
export const cancelStoredExecution = async (
  deps: CancelDeps,
  { tenantId, agentId, executionId }: ExecutionKey,
): Promise<StoredExecution> => {
  const { db, runtime, authorize } = deps;
  const place = { agentId, executionId, now: runtime.clock() };
  const execution = await getKeptExecution(db, tenantId, place);
  authorize?.(execution?.item.trigger);
  if (!execution) throw notFound("execution record", executionId);
  const { item } = execution;
  const endTime = runtime.clock();
  const cancelRunning = async () =>
    (await cancelExecutionItem(db, toExecutionKey(item), endTime)) === "written";
  const cancelWaiting = () => cancelWaitingOne(deps, { execution, now: endTime });
  // It may have begun to wait, or have been continued, since it was read.
  const [first, second] =
    item.status === "Waiting" ? [cancelWaiting, cancelRunning] : [cancelRunning, cancelWaiting];
  const isCancelled = (await first()) || (isOpen(item) && (await second()));
  if (!isCancelled) {
    throw conflict(`The execution ${executionId} has ended. It cannot be cancelled any more.`);
  }
  return { ...execution, item: { ...item, status: "Cancelled", endTime } };
};

/**
 * Cancels a waiting execution, which no run has. The caller of a sub-agent is woken before, so that a crash does not leave
 * it waiting; its wake-up is deferred while it runs. Returns false for one that does not wait any more.
 */
const cancelWaitingOne = async (
  { db, send }: CancelDeps,
  { execution: { item, waitRoot }, now }: { execution: StoredExecution; now: number },
): Promise<boolean> => {
  const key = toExecutionKey(item);
  const { tenantId, agentId } = key;
  if (waitRoot) {
    const wait = { waitingId: item.id, path: "", kind: "Timer" as const, at: now + wakeDelayMs };
    await sendWake(send, { type: "wake-execution", tenantId, ...waitRoot, ...wait }, now);
    return cancelWaitingItem(db, key, { endTime: now, leaseUntil: undefined });
  }
  const leaseUntil = now + resendAfterMs(1);
  if (!(await cancelWaitingItem(db, key, { endTime: now, leaseUntil }))) return false;
  await enqueueExecutions(send, tenantId, [{ agentId, id: item.id }]);
  return true;
};
