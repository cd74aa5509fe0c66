import * as z from "zod";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { Actor, AuditEvent } from "./schemas.ts";

/** A rotated secret in its grace period. Times in Unix milliseconds. */
const PreviousSecret = z.object({ sha256: z.string(), validUntil: z.number() });
export type PreviousSecret = z.output<typeof PreviousSecret>;

/** Stored representation of an API key. Authentication writes its last use to the item of its hash. */
export const ApiKeyItem = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  prefix: z.string(),
  last4: z.string(),
  sha256: z.string(),
  previousSecrets: z.array(PreviousSecret),
  /** Incremented by every change, for optimistic locking. */
  version: z.number(),
  createdAt: z.number(),
  createdBy: Actor,
  modifiedAt: z.number(),
  rotatedAt: z.number().nullable(),
  /** Last use before the last rotation or the revocation, Unix milliseconds; 0 for never. Later uses are in the hash's item. */
  lastUsedAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
  /**
   * The integration config with the MCP server that a dedicated key is for; absent for other keys.
   */
  mcpConfigId: z.string().optional(),
  /** The tenant of that config. */
  mcpTenantId: TenantId.optional(),
  /** The users who created it, directly or through other keys; see `Principal`. */
  userIds: z.array(z.string()).default([]),
});
export type ApiKeyItem = z.output<typeof ApiKeyItem>;

/** Stored representation of an audit event; expiries in Unix milliseconds. */
export const AuditEventItem = AuditEvent.extend({
  previousExpiresAt: z.number().nullable(),
  newExpiresAt: z.number().nullable(),
});
export type AuditEventItem = z.output<typeof AuditEventItem>;
