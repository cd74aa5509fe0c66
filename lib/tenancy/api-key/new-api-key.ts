import { hashApiKey, makeApiKey } from "../../platform/auth/api-key-format.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { AuditContext } from "../audit/describe-call.ts";
import { auditEvent } from "./audit-event.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";
import { usersOfSecret } from "./key-rules.ts";

/** Properties of a new key. */
type Wanted = Pick<ApiKeyItem, "name" | "scopes" | "expiresAt" | "mcpConfigId" | "mcpTenantId">;

/** An unsaved key with its audit event. */
export type NewApiKey = { item: ApiKeyItem; key: string; event: AuditEventItem };

/** Creates an unsaved key of the caller's organization and its audit event; does not check rights. */
export const newApiKey = (ctx: AuditContext, prefix: string, wanted: Wanted): NewApiKey => {
  const key = makeApiKey(prefix, ctx.randomBytes);
  const now = ctx.clock();
  const item: ApiKeyItem = {
    ...wanted,
    id: newUuid(ctx),
    organizationId: ctx.principal.organizationId,
    prefix,
    last4: key.slice(-4),
    sha256: hashApiKey(key),
    previousSecrets: [],
    version: 1,
    createdAt: now,
    createdBy: { type: ctx.principal.type, id: ctx.principal.id },
    modifiedAt: now,
    rotatedAt: null,
    lastUsedAt: 0,
    revokedAt: null,
    userIds: usersOfSecret([], ctx.principal),
  };
  return { item, key, event: auditEvent(ctx, "Issued", null, item) };
};
