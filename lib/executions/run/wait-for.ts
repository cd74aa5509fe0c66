import { transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { buildCancel } from "../approvals/cancel-approvals.ts";
import { removeEventWait } from "../checkpoints/event-wait-store.ts";
import { deleteWait, type StoredWait } from "../checkpoints/wait-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { beginWait, type WaitingRun } from "../wait/begin-wait.ts";
import type { RunContext, RunEnd } from "./run-context.ts";

/** A run in which only waits are left. `left`: stored waits that none of its steps waits for any more. */
type Waiting = Omit<WaitingRun, "root" | "starterId" | "ends"> & {
  context: RunContext;
  left: readonly StoredWait[];
};

/** Makes an execution wait; "open" when it has to be run again before, by another run. */
export const waitFor = async (
  deps: ExecutionDeps,
  { context, left, ...waiting }: Waiting,
): Promise<RunEnd> => {
  const { root, starterId, waits: all } = context;
  const { job, waits } = waiting;
  const open = [...waits, ...all.below];
  const untils = open.map(({ until }) => until);
  const ends = { first: Math.min(...untils), last: Math.max(...untils) };
  const outcome = { waitsUntil: ends.first, approvals: listApprovalIds(open) };
  const isOutermost = job.owner !== null;
  if (isOutermost && all.isDisturbed) return "open";
  await dropWaits(deps, toExecutionKey(job.item), left);
  const run = { ...waiting, root, starterId, ends };
  const isWaiting = open.length > 0 && (await beginWait(deps, run)) === "waiting";
  all.isReached ||= !isWaiting;
  if (isOutermost) return isWaiting ? outcome : "open";
  all.below.push(...waits);
  all.isDisturbed ||= !isWaiting;
  return outcome;
};

/** Returns the ids of the approvals among waits. */
const listApprovalIds = (waits: readonly { approvalId?: string | undefined }[]): string[] => [
  ...new Set(waits.flatMap(({ approvalId }) => approvalId ?? [])),
];

/** Deletes waits that no step waits for, and cancels their approvals; leaves those that were decided in the meantime. */
const dropWaits = async (
  { db, runtime, send }: Pick<ExecutionDeps, "db" | "runtime" | "send">,
  key: ExecutionKey,
  waits: readonly StoredWait[],
): Promise<void> => {
  const { tenantId, executionId } = key;
  for (const { path, approvalId, webhookId } of waits) {
    const cancel = approvalId
      ? await buildCancel(db, { tenantId, approvalId, now: runtime.clock() })
      : undefined;
    if (approvalId && !cancel) continue;
    const { written } = await transact(db, [
      deleteWait(key, path),
      ...(cancel ? cancel.writes : []),
    ]);
    if (written && cancel?.event) await enqueueEvent(send, cancel.event);
    if (webhookId) await removeEventWait(db, tenantId, { webhookId, executionId, path });
  }
};
