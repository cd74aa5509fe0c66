import type { Principal } from "../../platform/auth/principal.ts";
import type { CallContext } from "../../platform/http/call-context.ts";

/** The context of a call that audit records describe. */
export type AuditContext = Pick<
  CallContext,
  "clock" | "randomBytes" | "requestId" | "sourceIp" | "userAgent" | "method" | "path"
> & { principal: Principal };

/** Describes the caller and the request of a change. */
export const describeCall = ({ principal, ...call }: AuditContext) => ({
  actor: { type: principal.type, id: principal.id, email: principal.email },
  requestContext: {
    requestId: call.requestId,
    sourceIp: call.sourceIp,
    userAgent: call.userAgent,
    method: call.method,
    path: call.path,
  },
});
