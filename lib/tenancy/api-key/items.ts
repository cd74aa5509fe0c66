import * as z from "zod";
import { TenantId } from "../../platform/db/tenant-id.ts";
import { Actor, AuditEvent } from "./schemas.ts";

/** A secret that a rotation left working for a while. Times in Unix milliseconds. */
const PreviousSecret = z.object({ sha256: z.string(), validUntil: z.number() });
export type PreviousSecret = z.output<typeof PreviousSecret>;

/** An API key as it is stored. Its last use stands with its hash, where authentication writes it. */
export const ApiKeyItem = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  prefix: z.string(),
  last4: z.string(),
  sha256: z.string(),
  previousSecrets: z.array(PreviousSecret),
  /** Goes up with every change, so that no change is made on what was not read. */
  version: z.number(),
  createdAt: z.number(),
  createdBy: Actor,
  modifiedAt: z.number(),
  rotatedAt: z.number().nullable(),
  /** Up to the last rotation or the revocation; later uses stand with the hash. 0 for never. */
  lastUsedAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
  /** The integration config whose MCP server is all that the key is for; absent for any other key. */
  mcpConfigId: z.string().optional(),
  /** The tenant of that config. */
  mcpTenantId: TenantId.optional(),
  /** The users who minted it, through other keys too; see `Principal`. */
  userIds: z.array(z.string()).default([]),
});
export type ApiKeyItem = z.output<typeof ApiKeyItem>;

/** An audit event as it is stored: its expiries in Unix milliseconds. */
export const AuditEventItem = AuditEvent.extend({
  previousExpiresAt: z.number().nullable(),
  newExpiresAt: z.number().nullable(),
});
export type AuditEventItem = z.output<typeof AuditEventItem>;
