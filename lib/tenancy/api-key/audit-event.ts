import type { Principal } from "../../platform/auth/principal.ts";
import type { CallContext } from "../../platform/http/call-context.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";

/** The context of a call that audit events record. */
export type AuditContext = Pick<
  CallContext,
  "clock" | "randomBytes" | "requestId" | "sourceIp" | "userAgent" | "method" | "path"
> & { principal: Principal };

/** A call that changes a key. */
export type KeyContext = CallContext & { principal: Principal };

/** Creates the audit event of a change from `before` (null for a new key) to `after` (null for a revoked one). */
export const auditEvent = (
  ctx: AuditContext,
  type: AuditEventItem["type"],
  before: ApiKeyItem | null,
  after: ApiKeyItem | null,
): AuditEventItem => {
  const { principal } = ctx;
  return {
    id: newUuid(ctx),
    apiKeyId: (after ?? before)?.id ?? "",
    type,
    actor: { type: principal.type, id: principal.id, email: principal.email },
    previousScopes: before?.scopes ?? null,
    newScopes: after?.scopes ?? null,
    previousExpiresAt: before?.expiresAt ?? null,
    newExpiresAt: after?.expiresAt ?? null,
    requestContext: {
      requestId: ctx.requestId,
      sourceIp: ctx.sourceIp,
      userAgent: ctx.userAgent,
      method: ctx.method,
      path: ctx.path,
    },
    createdAt: ctx.clock(),
  };
};
