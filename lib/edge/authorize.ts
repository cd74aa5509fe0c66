import type { Principal } from "../platform/auth/principal.ts";
import type { RequiredScope } from "../platform/auth/scopes.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId } from "../platform/http/ids.ts";
import { insufficientScope, unauthenticated } from "../platform/http/problems.ts";
import { findHeldRoles, toRefusal } from "../tenancy/collaborator/authorize.ts";
import { claimInvitation } from "../tenancy/collaborator/claim-invitation.ts";
import { decide, hasScope } from "../tenancy/collaborator/may.ts";
import type { CollaboratorRole } from "../tenancy/collaborator/role.ts";
import { getAgentAndRoles, type HeldRole, markActive } from "../tenancy/collaborator/role-store.ts";
import { collaboratorStatus } from "../tenancy/collaborator/status.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import type { Connected, InTenant, Link } from "./context.ts";
import { type Ahead, takeAhead, type WithAhead } from "./read-agent-ahead.ts";
import type { Row } from "./route.ts";

/** Checks the row's scope (or its starterScope), then a collaborator's role at the path's agent. Throws 403. */
export const authorize = (row: Row): Link<InTenant & WithAhead> => ({
  before: async ({ context }) => {
    const { database, principal, tenant, pathValues, ahead } = context;
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
        ahead,
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
  /** The agent and the roles, if they were read before. */
  ahead?: Ahead | undefined;
};

/**
 * Checks the role that a row requires at the agent of its path. Throws 403. One read for users and for keys that
 * users minted, none for other keys, and none for what was read ahead; one write when an invited user first calls a function that may
 * write. Returns the agent if it was read together with the role, or ahead.
 */
export const requireRole = async (
  { database }: Pick<Connected, "database">,
  { row: { role, scope, access, readsAgent }, principal, tenantId, agentId, ahead }: RoleCheck,
): Promise<ReadAgent | undefined> => {
  if (!role) return undefined;
  const agent = ChosenId.safeParse(agentId);
  if (!agent.success) return undefined;
  const { userIds } = principal;
  const early = await takeAhead(ahead, { tenantId, agentId: agent.data, userIds });
  if (userIds.length === 0) return early && { item: early.agent };
  const actor = { principal, tenantId };
  const { held, ...read } =
    early ??
    (readsAgent
      ? await getAgentAndRoles(database(), tenantId, agent.data, userIds)
      : { held: await findHeldRoles(database(), actor, agent.data) });
  const requirement = { scope, role };
  const isWriter = principal.type === "User" && access.table === "write";
  const roles = isWriter
    ? await settleRoles(database(), { tenantId, agentId: agent.data, principal, held })
    : held.map((grant) => grant.role);
  const decision = decide(principal, requirement, roles);
  const problem = toRefusal(decision, { principal, requirement, agentId: agent.data });
  if (problem) throw problem;
  return "agent" in read ? { item: read.agent } : undefined;
};

/**
 * Marks a user who was invited as active, and makes an invitation to their address theirs. Returns their roles after that;
 * no read or write for a user without an invitation.
 */
const settleRoles = async (
  db: Database,
  {
    tenantId,
    agentId,
    principal: { id },
    held,
  }: { tenantId: TenantId; agentId: string; principal: Principal; held: readonly HeldRole[] },
): Promise<CollaboratorRole[]> => {
  const invited = held.filter(({ status }) => status === collaboratorStatus.invited);
  const invitation = invited.find(({ userId }) => userId !== id);
  if (invitation) {
    const claim = { tenantId, agentId, address: invitation.userId, userId: id };
    const own = await claimInvitation({ db }, claim);
    return own ? [own.role] : [];
  }
  for (const { userId } of invited) {
    await markActive(db, { tenantId, agentId, userId }, collaboratorStatus.active);
  }
  return held.map(({ role }) => role);
};
