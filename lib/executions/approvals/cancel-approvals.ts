import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import {
  approvalCancelledType,
  type OrganizationEvent,
} from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import type { Send } from "../../platform/queue/send.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import { type ApprovalItem, buildCancelApproval, getApproval } from "./approval-store.ts";

/**
 * Cancels approvals that are pending, whatever was decided so far. The event that changes the message of one in a chat is
 * part of its transaction.
 * @param deps `send`: absent where the next sweep of the outbox sends the events
 */
export const cancelApprovals = async (
  deps: { db: Database; send?: Send },
  {
    tenantId,
    approvalIds,
    now,
  }: { tenantId: TenantId; approvalIds: readonly string[]; now: number },
): Promise<void> => {
  await Promise.all(
    approvalIds.map(async (approvalId) => {
      const cancel = await buildCancel(deps.db, { tenantId, approvalId, now });
      if (!cancel) return;
      const { written } = await transact(deps.db, cancel.writes);
      if (written && cancel.event && deps.send) await enqueueEvent(deps.send, cancel.event);
    }),
  );
};

/** Builds the writes that cancel an approval, and their event to queue; undefined for one that is not pending. */
export const buildCancel = async (
  db: Database,
  { tenantId, approvalId, now }: { tenantId: TenantId; approvalId: string; now: number },
): Promise<
  { writes: readonly TransactionWrite[]; event: OrganizationEvent | undefined } | undefined
> => {
  const approval = await getApproval(db, tenantId, approvalId);
  if (approval?.status !== "Pending") return undefined;
  const event = await buildEvent(db, tenantId, approval, now);
  const update = buildCancelApproval(tenantId, approvalId, now);
  return { writes: [{ Update: update }, ...(event ? [putInOutbox(event)] : [])], event };
};

/** Builds the event of a cancelled approval, for its message in a chat; undefined without a chat. */
const buildEvent = async (
  db: Database,
  tenantId: TenantId,
  { id, agentId, approvers }: ApprovalItem,
  now: number,
): Promise<OrganizationEvent | undefined> => {
  const owner = approvers.chat && (await findOwner(db, tenantId, now));
  if (!owner) return undefined;
  const { organizationId } = owner;
  const type = approvalCancelledType;
  return {
    id: `${type}:${id}`,
    type,
    organizationId,
    tenantId,
    agentId,
    occurredAt: now,
    data: { approvalId: id },
  };
};
