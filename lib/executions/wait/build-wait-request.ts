import type { TransactionWrite } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { ApprovalItem } from "../approvals/approval-item.ts";
import { putApproval } from "../approvals/approval-store.ts";
import { putEventWait } from "../checkpoints/event-wait-store.ts";
import { putWait } from "../checkpoints/wait-store.ts";
import { buildApprovalEvent } from "../hooks/wait-events.ts";
import type { ExecutionDeps, Job } from "../job/job.ts";
import type { WakeExecutionMessage } from "../messages.ts";
import { type ExecutionKey, toExecutionKey } from "../record/keys.ts";
import { newApproval } from "./new-approval.ts";
import { newEventWait } from "./new-event-wait.ts";
import type { ReachedWait } from "./open-waits.ts";
import { sendWake } from "./send-wake.ts";

/** A wake-up comes after the transaction that it is for. */
const leastDelayMs = 1_000;

/** The execution that waits. */
export type WaitingExecution = {
  job: Job;
  /** The execution with the run's lease: its own, or its outermost caller's. */
  root: ExecutionKey;
  /** Id of the user or key that started the root; null where another trigger did. */
  starterId: string | null;
};

/** All that is written when a wait is stored, in one transaction. */
export type WaitRequestWrites = {
  writes: readonly TransactionWrite[];
  approval: ApprovalItem | undefined;
  /** To be queued after the transaction. */
  event: OrganizationEvent | undefined;
};

/**
 * Builds all writes of a new wait: the wait, its registration at a webhook, and the approval that it asks for with its event.
 * @param input `ttl`: Unix seconds
 */
export const buildWaitRequest = async (
  deps: Pick<ExecutionDeps, "db" | "runtime">,
  {
    execution: { job, root, starterId },
    wait: reached,
    ttl,
  }: { execution: WaitingExecution; wait: ReachedWait; ttl: number },
): Promise<WaitRequestWrites> => {
  const { requested, ...wait } = reached;
  const { tenantId, item } = job;
  const approval = requested && newApproval({ job, root, starterId, wait, requested, ttl });
  const awaited = newEventWait(job, root, { wait: reached, now: deps.runtime.clock() });
  const type = "approval.requested";
  const event = approval && (await buildApprovalEvent(deps, { type, tenantId, approval }));
  const writes = [
    putWait(toExecutionKey(item), wait, ttl),
    ...(awaited ? [putEventWait(tenantId, awaited)] : []),
    ...(approval ? [putApproval(tenantId, approval)] : []),
    ...(event ? [putInOutbox(event)] : []),
  ];
  return { writes, approval, event };
};

/** Sends the wake-up of a wait, for the end of its time. */
export const wakeAtEnd = (
  { runtime, send }: Pick<ExecutionDeps, "runtime" | "send">,
  { execution: { job, root }, wait: reached }: { execution: WaitingExecution; wait: ReachedWait },
): Promise<void> => {
  const { tenantId, item } = job;
  const { agentId, executionId } = root;
  const { path, kind, approvalId, webhookId, until } = reached;
  const now = runtime.clock();
  const at = Math.max(until, now + leastDelayMs);
  const ids = { ...(approvalId && { approvalId }), ...(webhookId && { webhookId }) };
  const wait = { waitingId: item.id, path, kind, ...ids, at };
  const message = { type: "wake-execution" as const, tenantId, agentId, executionId, ...wait };
  return sendWake(send, message satisfies WakeExecutionMessage, now);
};
