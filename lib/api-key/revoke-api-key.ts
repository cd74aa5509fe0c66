import type { Database } from "../db/database.ts";
import { notFound } from "../http/problems.ts";
import { auditEvent, type KeyContext } from "./audit-event.ts";
import { changedMeanwhile } from "./key-rules.ts";
import { findLastUses, getApiKey, putRevocation } from "./store.ts";

const attempts = 3;

/**
 * Revokes a key: none of its secrets works from then on, on any instance. Again changes nothing and
 * records nothing. Throws 404.
 */
export const revokeApiKey = async ({
  ctx,
  input: { keyId },
  deps: { db },
}: {
  ctx: KeyContext;
  input: { keyId: string };
  deps: { db: Database };
}): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await getApiKey(db, ctx.principal.organizationId, keyId);
    if (!before) throw notFound("API key", keyId);
    if (before.revokedAt !== null) return;
    const now = ctx.clock();
    const after = {
      ...before,
      previousSecrets: [],
      version: before.version + 1,
      modifiedAt: now,
      lastUsedAt: (await findLastUses(db, [before])).get(keyId) ?? before.lastUsedAt,
      revokedAt: now,
    };
    const event = auditEvent(ctx, "Revoked", before, null);
    if ((await putRevocation(db, { before, after, event })) === "written") return;
  }
  throw changedMeanwhile();
};
