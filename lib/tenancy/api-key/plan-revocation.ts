import type { Database } from "../../platform/db/database.ts";
import type { AuditContext } from "../audit/describe-call.ts";
import { auditEvent } from "./audit-event.ts";
import type { ApiKeyItem } from "./items.ts";
import { isKeyCounted } from "./key-count.ts";
import { findLastUses } from "./key-hash-store.ts";
import type { KeyChangeWrites } from "./store.ts";

/** Builds the writes that revoke a key. */
export const planRevocation = async (
  db: Database,
  ctx: AuditContext,
  before: ApiKeyItem,
): Promise<KeyChangeWrites> => {
  const now = ctx.clock();
  const after = {
    ...before,
    previousSecrets: [],
    version: before.version + 1,
    modifiedAt: now,
    lastUsedAt: (await findLastUses(db, [before])).get(before.id) ?? before.lastUsedAt,
    revokedAt: now,
  };
  const isCounted = await isKeyCounted(db, before, now);
  return { before, after, event: auditEvent(ctx, "Revoked", before, null), isCounted };
};
