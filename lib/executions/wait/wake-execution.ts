import { createHash } from "node:crypto";
import type { Schedules } from "../../agents/schedule/schedules.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import { endApproval, getApproval } from "../approvals/approval-store.ts";
import { cancelApprovals } from "../approvals/cancel-approvals.ts";
import { endEventWait, removeEventWait } from "../checkpoints/event-wait-store.ts";
import { buildApprovalEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { resendAfterMs } from "../lease/execution-lease.ts";
import type { WakeExecutionMessage } from "../messages.ts";
import { queueWaiting } from "../record/waiting-store.ts";
import { enqueueExecutions } from "../start/queue-executions.ts";
import { endWait } from "./end-wait.ts";
import { isSoon, sendWake } from "./send-wake.ts";

/** Pause before a wake-up of an execution that still runs is tried again. */
const deferralMs = 20_000;

/**
 * Queues a waiting execution when the time of its wait has come. One that still runs is woken once it waits, and one that
 * has ended is not. Deletes the schedule of a wait that ended before its time. The end of the time of a wait for an answer
 * is its answer, unless there is another. A wake-up that comes early is sent again, or made a schedule. Safe to repeat and
 * to arrive late: a run that finds its waits open waits again.
 */
export const wakeExecution = async (
  {
    schedules,
    ...deps
  }: Pick<ExecutionDeps, "db" | "objects" | "send" | "runtime"> & {
    schedules: Schedules;
  },
  message: WakeExecutionMessage,
): Promise<void> => {
  const { db, send, runtime } = deps;
  const { tenantId, agentId, executionId, at } = message;
  const now = runtime.clock();
  if (message.isOver) return schedules.remove(nameWakeSchedule(message));
  if (at > now) {
    return isSoon(at, now)
      ? sendWake(send, message, now)
      : schedules.put(toSchedule(message), false);
  }
  if (message.kind !== "Timer") return endByTime(deps, message);
  const key = { tenantId, agentId, executionId };
  const outcome = await queueWaiting(db, key, now + resendAfterMs(1));
  if (outcome === "queued") await enqueueExecutions(send, tenantId, [{ agentId, id: executionId }]);
  if (outcome === "open") await sendWake(send, { ...message, at: now + deferralMs }, now);
};

type EndDeps = Pick<ExecutionDeps, "db" | "objects" | "send" | "runtime">;

/** Ends a wait for an answer that did not come in time. Tries again when a decision was added that is not the last one. */
const endByTime = (deps: EndDeps, message: WakeExecutionMessage): Promise<void> =>
  retryOnConflict(
    { error: () => beingChanged("approval", message.approvalId ?? message.path) },
    () => tryEndByTime(deps, message),
  );

const tryEndByTime = async (
  deps: EndDeps,
  { tenantId, agentId, executionId, waitingId, path, approvalId, webhookId }: WakeExecutionMessage,
): Promise<"changed" | undefined> => {
  const { db, runtime, send } = deps;
  const approval = approvalId && (await getApproval(db, tenantId, approvalId));
  // It was decided, or its run failed to request it.
  const isPending = approval && approval.status === "Pending";
  if (approvalId && !isPending) return undefined;
  const end = { status: "TimedOut" as const, decidedAt: runtime.clock() };
  const type = "approval.timed_out";
  const event =
    approval &&
    (await buildApprovalEvent(deps, { type, tenantId, approval: { ...approval, ...end } }));
  const awaited = webhookId && { webhookId, executionId: waitingId, path };
  const outcome = await endWait(deps, {
    tenantId,
    root: { agentId, executionId },
    executionId: waitingId,
    path,
    answer: undefined,
    writes: [
      ...(approval ? [endApproval(tenantId, approval, end)] : []),
      ...(event ? [putInOutbox(event)] : []),
      ...(awaited ? [endEventWait(tenantId, awaited)] : []),
    ],
  });
  if (outcome === "ended" && event) await enqueueEvent(send, event);
  if (outcome === "over" && awaited) await removeEventWait(db, tenantId, awaited);
  if (outcome === "over" && approvalId) {
    await cancelApprovals(deps, { tenantId, approvalIds: [approvalId], now: runtime.clock() });
  }
  return outcome === "answered" && approval ? "changed" : undefined;
};

/** Returns the name of the schedule of a wait. */
export const nameWakeSchedule = ({
  tenantId,
  waitingId,
  path,
  at,
}: Pick<WakeExecutionMessage, "tenantId" | "waitingId" | "path" | "at">): string => {
  const wait = `${tenantId}/${waitingId}/${path}/${at}`;
  const digest = createHash("sha256").update(wait).digest("hex");
  return `wake-${digest.slice(0, 40)}`;
};

/** Builds the schedule that fires once, at the time of a wait. */
const toSchedule = (message: WakeExecutionMessage) => {
  const { tenantId, waitingId, at } = message;
  // The service fires within a minute after the time.
  const time = new Date(Math.ceil(at / 1_000) * 1_000).toISOString().slice(0, 19);
  return {
    name: nameWakeSchedule(message),
    description: `tenant ${tenantId}, execution ${waitingId}`,
    expression: `at(${time})`,
    timeZone: "UTC",
    isOnce: true as const,
    message: JSON.stringify(message),
  };
};
