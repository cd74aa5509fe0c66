import { decide } from "../auth/may.ts";
import type { Principal } from "../auth/principal.ts";
import type { Database } from "../db/database.ts";
import { ChosenId } from "../http/ids.ts";
import type { Route } from "../http/route.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { findHeldRoles, toProblem } from "./authorize.ts";
import { markActive } from "./role-store.ts";
import { collaboratorStatus } from "./status.ts";

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
