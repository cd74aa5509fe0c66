import { findAudience } from "../../notifications/destination/find-audience.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { ApprovalItem } from "../approvals/approval-store.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { isPublished } from "./end-hooks.ts";

type EventDeps = Pick<ExecutionDeps, "db" | "runtime">;

/** Builds the event of an execution that begins to wait; undefined where no destination receives it. */
export const buildWaitingEvent = async (
  { db, runtime }: EventDeps,
  {
    item,
    approvalIds,
    until,
  }: {
    item: ExecutionRecord;
    approvalIds: readonly string[];
    /** Unix milliseconds. */
    until: number;
  },
): Promise<OrganizationEvent | undefined> => {
  const now = runtime.clock();
  const type = "agent.execution.waiting";
  const { tenantId } = toExecutionKey(item);
  const audience = isPublished(item) ? await findAudience(db, tenantId, now) : undefined;
  if (!audience?.types.has(type)) return undefined;
  const { id: executionId, agentId, agentRevision, trigger, startTime } = item;
  return {
    id: `${type}:${executionId}:${now}`,
    type,
    organizationId: audience.organizationId,
    tenantId,
    agentId,
    occurredAt: now,
    data: {
      executionId,
      agentRevision,
      status: "Waiting",
      trigger,
      startTime,
      approvals: [...approvalIds],
      until,
    },
  };
};

/** Builds the event of an approval; undefined when its tenant was deleted. It contains neither its data nor arguments. */
export const buildApprovalEvent = async (
  { db, runtime }: EventDeps,
  {
    type,
    tenantId,
    approval,
  }: {
    type: Extract<OrganizationEvent["type"], `approval.${string}`>;
    tenantId: TenantId;
    approval: ApprovalItem;
  },
): Promise<OrganizationEvent | undefined> => {
  const now = runtime.clock();
  const owner = await findOwner(db, tenantId, now);
  if (!owner) return undefined;
  const { id, agentId, agentRevision, executionId, stepId, kind, title, toolId } = approval;
  const { status, createdAt, expiresAt, decisions } = approval;
  const { action = null, decidedBy = null } = decisions.at(-1) ?? {};
  return {
    id: `${type}:${id}`,
    type,
    organizationId: owner.organizationId,
    tenantId,
    agentId,
    occurredAt: now,
    data: {
      approvalId: id,
      agentRevision,
      executionId,
      stepId,
      kind,
      title,
      toolId,
      status,
      createdAt,
      expiresAt,
      action,
      decidedBy,
    },
  };
};
