import type { Principal } from "../platform/auth/principal.ts";
import type { RequiredScope } from "../platform/auth/scopes.ts";
import type { Database } from "../platform/db/database.ts";
import { insufficientScope, unauthenticated } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { InTenant, Link } from "./context.ts";
import { requireRole } from "./require-role.ts";
import type { Row } from "./row.ts";

/** Checks what the principal may do: the row's scope, then a collaborator's role at the path's agent. Throws 403. */
export const authorize = (row: Row, db: () => Database): Link<InTenant> => ({
  before: async ({ context: { principal, tenant, pathValues } }) => {
    requireScope(row.scope, principal);
    if (!tenant) return;
    await requireRole(row, { principal, tenantId: tenant.id, agentId: pathValues.agent }, db);
  },
});

const requireScope = (scope: RequiredScope, principal: Principal): void => {
  if (scope === "public" || scope === "authenticated") return;
  if (scope === "api-key") {
    if (principal.type !== "ApiKey") throw unauthenticated("This call is for API keys alone.");
    return;
  }
  if (!hasScope(principal, scope)) throw insufficientScope(scope);
};
