import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { notFound } from "../../platform/http/problems.ts";
import type { TenantContext } from "../tenant/context.ts";
import { collaboratorChanged, lastOwner } from "./conflicts.ts";
import { resolveUser } from "./resolve-user.ts";
import { eraseCollaborator, getAgentAndCollaborator } from "./store.ts";

/**
 * Deletes a collaborator of an agent. Throws 404, and 409 for the agent's last Owner.
 */
export const deleteCollaborator = async (
  { db }: { db: Database },
  {
    ctx,
    agentId,
    userId: named,
  }: { ctx: Pick<TenantContext, "tenant" | "principal">; agentId: string; userId: string },
): Promise<void> => {
  const tenantId = ctx.tenant.id;
  return retryOnConflict({ error: () => collaboratorChanged(named) }, async () => {
    const userId = await resolveUser(db, { ctx, agentId, userId: named });
    const { agentExists, collaborator } = await getAgentAndCollaborator(
      db,
      tenantId,
      agentId,
      userId,
    );
    if (!agentExists) throw notFound("agent", agentId);
    if (!collaborator) throw notFound("collaborator", userId);
    const outcome = await eraseCollaborator(db, tenantId, collaborator);
    if (outcome === "refused" && collaborator.role === "Owner") throw lastOwner(agentId, userId);
    return outcome === "written" ? undefined : "changed";
  });
};
