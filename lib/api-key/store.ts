import * as z from "zod";
import type { Database } from "../db/database.ts";
import { apiKeyKey, auditEventKey, keyHashKey, listed } from "../db/keys.ts";
import { transact } from "../db/transact.ts";
import { Actor } from "./schemas.ts";

/** An API key as it is stored. Its last use stands with its hash, where authentication writes it. */
export const ApiKeyItem = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  prefix: z.string(),
  last4: z.string(),
  sha256: z.string(),
  createdAt: z.number(),
  createdBy: Actor,
  modifiedAt: z.number(),
  expiresAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
});
export type ApiKeyItem = z.output<typeof ApiKeyItem>;

/** What happened to a key, who did it, and from where. Times in Unix milliseconds. */
export const AuditEventItem = z.object({
  id: z.string(),
  apiKeyId: z.string(),
  type: z.enum(["Issued", "Rotated", "ScopesChanged", "Updated", "Revoked"]),
  actor: z.object({
    type: z.enum(["User", "ApiKey"]),
    id: z.string(),
    email: z.string().nullable(),
  }),
  previousScopes: z.array(z.string()).nullable(),
  newScopes: z.array(z.string()).nullable(),
  previousExpiresAt: z.number().nullable(),
  newExpiresAt: z.number().nullable(),
  requestContext: z.object({
    requestId: z.string(),
    sourceIp: z.string(),
    userAgent: z.string().nullable(),
    method: z.string(),
    path: z.string(),
  }),
  createdAt: z.number(),
});
export type AuditEventItem = z.output<typeof AuditEventItem>;

/** Writes a new key, its hash and the audit event of its issue: all three or none. */
export const putNewApiKey = async (
  db: Database,
  key: ApiKeyItem,
  event: AuditEventItem,
): Promise<void> => {
  const ConditionExpression = "attribute_not_exists(pk)";
  const outcome = await transact(db, [
    {
      Put: {
        Item: { ...listed(apiKeyKey(key.organizationId, key.id)), ...key },
        ConditionExpression,
      },
    },
    {
      Put: {
        Item: {
          ...keyHashKey(key.sha256),
          keyId: key.id,
          organizationId: key.organizationId,
          name: key.name,
          scopes: key.scopes,
          expiresAt: key.expiresAt,
          lastUsedAt: 0,
          rateWindow: 0,
          rateCount: 0,
        },
        ConditionExpression,
      },
    },
    {
      Put: { Item: { ...listed(auditEventKey(key.id, event.id)), ...event }, ConditionExpression },
    },
  ]);
  if (!outcome.written) throw new Error("a new API key met an item under its own id");
};
