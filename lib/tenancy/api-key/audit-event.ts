import type { Principal } from "../../platform/auth/principal.ts";
import type { CallContext } from "../../platform/http/call-context.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { type AuditContext, describeCall } from "../audit/describe-call.ts";
import type { ApiKeyItem, AuditEventItem } from "./items.ts";

/** A call that changes a key. */
export type KeyContext = CallContext & { principal: Principal };

/** Creates the audit event of a change from `before` (null for a new key) to `after` (null for a revoked one). */
export const auditEvent = (
  ctx: AuditContext,
  type: AuditEventItem["type"],
  before: ApiKeyItem | null,
  after: ApiKeyItem | null,
): AuditEventItem => ({
  id: newUuid(ctx),
  apiKeyId: (after ?? before)?.id ?? "",
  type,
  ...describeCall(ctx),
  previousScopes: before?.scopes ?? null,
  newScopes: after?.scopes ?? null,
  previousExpiresAt: before?.expiresAt ?? null,
  newExpiresAt: after?.expiresAt ?? null,
  createdAt: ctx.clock(),
});
