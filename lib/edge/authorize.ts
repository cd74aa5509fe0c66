import type { Principal } from "../platform/auth/principal.ts";
import type { RequiredScope } from "../platform/auth/scopes.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId } from "../platform/http/ids.ts";
import { insufficientScope, unauthenticated } from "../platform/http/problems.ts";
import { findHeldRoles, toRefusal } from "../tenancy/collaborator/authorize.ts";
import { decide, hasScope } from "../tenancy/collaborator/may.ts";
import { getAgentAndRoles, markActive } from "../tenancy/collaborator/role-store.ts";
import { collaboratorStatus } from "../tenancy/collaborator/status.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import type { Connected, InTenant, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Checks the row's scope (or its starterScope), then a collaborator's role at the path's agent. Throws 403. */
export const authorize = (row: Row): Link<InTenant> => ({
  before: async ({ context }) => {
    const { database, principal, tenant, pathValues } = context;
    const scope = grantedScope(row, principal);
    if (!tenant) return;
    const { role, access, readsAgent } = row;
    context.readAgent = await requireRole(
      { database },
      {
        row: { role, access, scope, readsAgent },
        principal,
        tenantId: tenant.id,
        agentId: pathValues.agent,
      },
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

/** A caller of a row at an agent; the agent is undefined for a row without one in its path. */
type RoleCheck = {
  row: Pick<Row, "role" | "scope" | "access" | "readsAgent">;
  principal: Principal;
  tenantId: TenantId;
  agentId: string | undefined;
};

/**
 * Checks the role that a row requires at the agent of its path. Throws 403. One read for users and for keys that
 * users minted, none for other keys; one write when an invited user first calls a function that may write. Returns the
 * agent if it was read together with the role.
 */
export const requireRole = async (
  { database }: Pick<Connected, "database">,
  { row: { role, scope, access, readsAgent }, principal, tenantId, agentId }: RoleCheck,
): Promise<ReadAgent | undefined> => {
  if (!role || principal.userIds.length === 0) return undefined;
  const agent = ChosenId.safeParse(agentId);
  if (!agent.success) return undefined;
  const actor = { principal, tenantId };
  const { held, ...read } = readsAgent
    ? await getAgentAndRoles(database(), tenantId, agent.data, principal.userIds)
    : { held: await findHeldRoles(database(), actor, agent.data) };
  const requirement = { scope, role };
  const decision = decide(
    principal,
    requirement,
    held.map((grant) => grant.role),
  );
  const problem = toRefusal(decision, { principal, requirement, agentId: agent.data });
  if (problem) throw problem;
  if (principal.type === "User" && access.table === "write") {
    const invited = held.filter(({ status }) => status === collaboratorStatus.invited);
    for (const { userId } of invited) {
      const holder = { tenantId, agentId: agent.data, userId };
      await markActive(database(), holder, collaboratorStatus.active);
    }
  }
  return "agent" in read ? { item: read.agent } : undefined;
};
