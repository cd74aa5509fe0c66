import type { Principal } from "../auth/principal.ts";
import type { Database } from "../db/database.ts";
import { ChosenId } from "../http/ids.ts";
import { insufficientRole } from "../http/problems.ts";
import type { Route } from "../http/route.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { reaches } from "./role.ts";
import { getHeldRole, markActive } from "./role-store.ts";
import { collaboratorStatus } from "./status.ts";

/**
 * Holds a user who is a collaborator of the agent to their role. Others, and API keys, are held by their
 * scopes alone. Throws 403. One read for users, none for API keys; the first time that somebody invited
 * calls a function that may write, one write.
 */
export const requireRole = async (
  row: Pick<Route, "role" | "scope" | "access">,
  {
    principal,
    tenantId,
    agentId,
  }: { principal: Principal; tenantId: TenantId; agentId: string | undefined },
  db: () => Database,
): Promise<void> => {
  if (!row.role || principal.type !== "User") return;
  const agent = ChosenId.safeParse(agentId);
  if (!agent.success) return;
  const holder = { tenantId, agentId: agent.data, userId: principal.id };
  const held = await getHeldRole(db(), holder);
  if (!held) return;
  if (!reaches(held.role, row.role)) {
    throw insufficientRole(row.scope, { held: held.role, required: row.role });
  }
  if (held.status === collaboratorStatus.invited && row.access.table === "write") {
    await markActive(db(), holder, collaboratorStatus.active);
  }
};
