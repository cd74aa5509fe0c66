import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { KeyContext } from "./audit-event.ts";
import { enqueueKeyEvents } from "./enqueue-key-events.ts";
import { keyChanged } from "./key-rules.ts";
import { planRevocation } from "./plan-revocation.ts";
import { getApiKey, putRevocation } from "./store.ts";

/**
 * Revokes a key with all its secrets, immediately. Idempotent: a repeated call records nothing. Throws 404.
 */
export const revokeApiKey = async (
  { db, send }: { db: Database; send: Send },
  { ctx, keyId }: { ctx: KeyContext; keyId: string },
): Promise<void> => {
  return retryOnConflict({ attempts: 3, error: () => keyChanged() }, async () => {
    const before = await getApiKey(db, ctx.principal.organizationId, keyId);
    if (!before) throw notFound("API key", keyId);
    if (before.revokedAt !== null) return undefined;
    const revocation = await planRevocation(db, ctx, before);
    if ((await putRevocation(db, revocation)) === "changed") return "changed";
    return enqueueKeyEvents(send, revocation.after, revocation.event);
  });
};
