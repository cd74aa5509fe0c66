import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { ChosenId } from "../platform/http/ids.ts";
import { findHeldRoles, toProblem } from "../tenancy/collaborator/authorize.ts";
import { decide } from "../tenancy/collaborator/may.ts";
import { markActive } from "../tenancy/collaborator/role-store.ts";
import { collaboratorStatus } from "../tenancy/collaborator/status.ts";
import type { Route } from "./route.ts";

/**
 * Checks the role that a row asks for at the agent of its path. Throws 403. One read for users and for keys that
 * users minted, none for other keys; one write when an invited user first calls a function that may write.
 */
export const requireRole = async (
  { role, scope, access }: Pick<Route, "role" | "scope" | "access">,
  {
    principal,
    tenantId,
    agentId,
  }: { principal: Principal; tenantId: TenantId; agentId: string | undefined },
  db: () => Database,
): Promise<void> => {
  if (!role || principal.userIds.length === 0) return;
  const agent = ChosenId.safeParse(agentId);
  if (!agent.success) return;
  const held = await findHeldRoles(db(), { principal, tenantId }, agent.data);
  const requirement = { scope, role };
  const decision = decide(
    principal,
    requirement,
    held.map((each) => each.role),
  );
  const problem = toProblem(decision, { principal, requirement, agentId: agent.data });
  if (problem) throw problem;
  const isInvited = held.some(({ status }) => status === collaboratorStatus.invited);
  if (principal.type === "User" && isInvited && access.table === "write") {
    const holder = { tenantId, agentId: agent.data, userId: principal.id };
    await markActive(db(), holder, collaboratorStatus.active);
  }
};
