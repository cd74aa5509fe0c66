import * as z from "zod";
import { TenantId } from "../db/tenant-id.ts";

/** Types of events that an organization can subscribe to. */
export const organizationEventTypes = [
  "agent.execution.completed",
  "agent.execution.failed",
  "agent.execution.waiting",
  "approval.requested",
  "approval.decided",
  "approval.timed_out",
  "agent.budget.threshold",
  "experiment.completed",
  "chat.access_requested",
  "chat.access_decided",
  "api_key.issued",
  "api_key.rotated",
  "api_key.scopes_changed",
  "api_key.revoked",
  "api_key.expiring",
  "audit.recorded",
] as const;

/** Type of the event by which the trace of an ended execution is exported; no webhook receives it. */
export const traceEventType = "agent.execution.ended";

/** Type of the event by which the message of a cancelled approval is changed in its chat; no webhook receives it. */
export const approvalCancelledType = "approval.cancelled";

/** Type of the event that stands for a message which could not be queued at an execution's end; no webhook receives it. */
export const unsentMessageType = "message.unsent";

/** An event of an organization, for its subscribers. Contains no secret. */
export const OrganizationEvent = z.object({
  /** Deterministic, such as `agent.execution.failed:{executionId}`, so that duplicates are detected. */
  id: z.string(),
  type: z.enum([
    ...organizationEventTypes,
    traceEventType,
    approvalCancelledType,
    unsentMessageType,
  ]),
  organizationId: z.string(),
  /** Null for an event outside of tenants. */
  tenantId: TenantId.nullable(),
  /** Null for an event without an agent. */
  agentId: z.string().nullable(),
  /** Unix milliseconds. */
  occurredAt: z.int(),
  data: z.record(z.string(), z.unknown()),
});
export type OrganizationEvent = z.output<typeof OrganizationEvent>;
