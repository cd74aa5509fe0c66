import * as z from "zod";
import { TenantId } from "../db/tenant-id.ts";

/** What an organization can hear of. */
export const eventTypes = [
  "agent.execution.completed",
  "agent.execution.failed",
  "agent.budget.threshold",
  "chat.access_requested",
  "chat.access_decided",
  "api_key.issued",
  "api_key.rotated",
  "api_key.scopes_changed",
  "api_key.revoked",
  "api_key.expiring",
] as const;

/** Something that happened in an organization, and of which others may be told. Holds no secret. */
export const OrganizationEvent = z.object({
  /** The same for the same happening, whoever notices it: such as `agent.execution.failed:{executionId}`. */
  id: z.string(),
  type: z.enum(eventTypes),
  organizationId: z.string(),
  /** Null for what concerns no tenant. */
  tenantId: TenantId.nullable(),
  /** Null for what concerns no agent. */
  agentId: z.string().nullable(),
  /** Unix milliseconds. */
  occurredAt: z.int(),
  data: z.record(z.string(), z.unknown()),
});
export type OrganizationEvent = z.output<typeof OrganizationEvent>;
