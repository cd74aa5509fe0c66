import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { auditEvent, type KeyContext } from "./audit-event.ts";
import { enqueueKeyEvents } from "./enqueue-key-events.ts";
import type { ApiKeyItem } from "./items.ts";
import { requirePlaceToChange } from "./key-count.ts";
import {
  keyChanged,
  readExpiry,
  requireDedicatedScopes,
  requireNotRevoked,
  requireOwnExpiryToChange,
  requireOwnScopes,
  requireScopesToProlong,
} from "./key-rules.ts";
import type { UpdateApiKeyBody } from "./schemas.ts";
import { getApiKey, putKeyChange } from "./store.ts";

/**
 * Changes a key's name, scopes or expiry, effective with the next request. Throws 404, 403 for scopes that the
 * caller lacks or an expiry later than the caller's own, and 409 for a revoked key.
 */
export const updateApiKey = async (
  { db, send }: { db: Database; send: Send },
  { ctx, keyId, body }: { ctx: KeyContext; keyId: string; body: UpdateApiKeyBody },
): Promise<ApiKeyItem> => {
  const now = ctx.clock();
  const expiresAt = body.expiresAt === undefined ? undefined : readExpiry(body.expiresAt, now);
  if (body.scopes) requireOwnScopes(body.scopes, ctx.principal);
  return retryOnConflict({ attempts: 3, error: () => keyChanged() }, async () => {
    const before = await getApiKey(db, ctx.principal.organizationId, keyId);
    if (!before) throw notFound("API key", keyId);
    requireNotRevoked(before);
    requireDedicatedScopes(before, body.scopes ?? []);
    const after: ApiKeyItem = {
      ...before,
      name: body.name ?? before.name,
      scopes: body.scopes ? [...new Set(body.scopes)] : before.scopes,
      expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
      version: before.version + 1,
      modifiedAt: now,
    };
    requireScopesToProlong(before, after, ctx.principal);
    requireOwnExpiryToChange(before, after, { expiresAt, principal: ctx.principal });
    const type = sameScopes(before, after) ? "Updated" : "ScopesChanged";
    const event = auditEvent(ctx, type, before, after);
    const isCounted = await requirePlaceToChange(db, before, after, now);
    const change = { before, after, event, isCounted };
    if ((await putKeyChange(db, change)) === "changed") return "changed";
    await enqueueKeyEvents(send, after, event);
    return after;
  });
};

const sameScopes = (one: ApiKeyItem, other: ApiKeyItem): boolean =>
  one.scopes.toSorted().join() === other.scopes.toSorted().join();
