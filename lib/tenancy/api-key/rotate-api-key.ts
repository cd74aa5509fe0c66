import { hashApiKey, makeApiKey } from "../../platform/auth/api-key-format.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { auditEvent, type KeyContext } from "./audit-event.ts";
import { enqueueKeyEvents } from "./enqueue-key-events.ts";
import type { ApiKeyItem, PreviousSecret } from "./items.ts";
import { requirePlaceToChange } from "./key-count.ts";
import { findLastUses, getHashUse, neverUsed } from "./key-hash-store.ts";
import {
  keyChanged,
  readExpiry,
  requireDedicatedScopes,
  requireNotRevoked,
  requireOwnExpiry,
  requireOwnScopes,
  usersOfSecret,
} from "./key-rules.ts";
import type { RotateApiKeyBody } from "./schemas.ts";
import { getApiKey, putRotation } from "./store.ts";

const maxPreviousSecrets = 5;

/**
 * Replaces a key's secret. The old secrets stop working immediately, or after `graceSeconds`. Name, scopes and
 * expiry change only if sent. The caller's roles limit the new secret. Throws 403 unless the caller has all scopes
 * of the key and does not expire before it, 404, and 409 for a revoked key, a concurrent rotation, a condition that no
 * longer holds, or an expired key that has no place among the active ones.
 */
export const rotateApiKey = async (
  deps: { db: Database; prefix: string; send: Send },
  {
    ctx,
    keyId,
    body,
    conditions = [],
  }: {
    ctx: KeyContext;
    keyId: string;
    body: RotateApiKeyBody;
    conditions?: readonly TransactionWrite[];
  },
): Promise<{ item: ApiKeyItem; key: string }> => {
  const now = ctx.clock();
  const wanted = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt, now);
  const before = await getApiKey(deps.db, ctx.principal.organizationId, keyId);
  if (!before) throw notFound("API key", keyId);
  requireNotRevoked(before);
  // A concurrent rotation won.
  if (before.rotatedAt !== null && before.rotatedAt >= ctx.startedAt) throw keyChanged();
  const scopes = body.scopes ? [...new Set(body.scopes)] : before.scopes;
  requireOwnScopes(scopes, ctx.principal);
  requireDedicatedScopes(before, scopes);
  const key = makeApiKey(deps.prefix, ctx.randomBytes);
  const use = (await getHashUse(deps.db, before.sha256)) ?? neverUsed;
  const after: ApiKeyItem = {
    ...before,
    name: body.name ?? before.name,
    scopes,
    expiresAt: wanted === undefined ? before.expiresAt : wanted,
    prefix: deps.prefix,
    last4: key.slice(-4),
    sha256: hashApiKey(key),
    previousSecrets: stillWorking(before, now, body.graceSeconds),
    version: before.version + 1,
    modifiedAt: now,
    rotatedAt: ctx.clock(),
    lastUsedAt: (await findLastUses(deps.db, [before])).get(before.id) ?? before.lastUsedAt,
  };
  requireOwnExpiry(after.expiresAt, ctx.principal);
  const userIds = usersOfSecret(before.userIds, ctx.principal);
  const event = auditEvent(ctx, "Rotated", before, after);
  const isCounted = await requirePlaceToChange(deps.db, before, after, now);
  const rotation = { before, after, use, userIds, event, isCounted, conditions };
  if ((await putRotation(deps.db, rotation)) === "changed") {
    if (!isCounted) await requirePlaceToChange(deps.db, before, after, now);
    throw keyChanged();
  }
  await enqueueKeyEvents(deps.send, after, event);
  return { item: after, key };
};

const stillWorking = (before: ApiKeyItem, now: number, graceSeconds: number): PreviousSecret[] => {
  if (graceSeconds === 0) return [];
  return [
    { sha256: before.sha256, validUntil: now + graceSeconds * 1_000 },
    ...before.previousSecrets.filter(({ validUntil }) => validUntil > now),
  ].slice(0, maxPreviousSecrets);
};
