import type { Principal } from "../platform/auth/principal.ts";
import type { RequiredScope } from "../platform/auth/scopes.ts";
import type { Database } from "../platform/db/database.ts";
import { insufficientScope, unauthenticated } from "../platform/http/problems.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import type { InTenant, Link } from "./context.ts";
import { requireRole } from "./require-role.ts";
import type { Row } from "./row.ts";

/** Checks the row's scope (or its starterScope), then a collaborator's role at the path's agent. Throws 403. */
export const authorize = (row: Row, db: () => Database): Link<InTenant> => ({
  before: async ({ context: { principal, tenant, pathValues } }) => {
    const scope = grantedScope(row, principal);
    if (!tenant) return;
    const { role, access } = row;
    await requireRole(
      { role, access, scope },
      { principal, tenantId: tenant.id, agentId: pathValues.agent },
      db,
    );
  },
});

const grantedScope = ({ scope, starterScope }: Row, principal: Principal): RequiredScope => {
  if (starterScope && !hasScope(principal, scope) && hasScope(principal, starterScope)) {
    return starterScope;
  }
  requireScope(scope, principal);
  return scope;
};

const requireScope = (scope: RequiredScope, principal: Principal): void => {
  if (scope === "public" || scope === "authenticated") return;
  if (scope === "api-key") {
    if (principal.type !== "ApiKey") throw unauthenticated("This call is for API keys alone.");
    return;
  }
  if (!hasScope(principal, scope)) throw insufficientScope(scope);
};
