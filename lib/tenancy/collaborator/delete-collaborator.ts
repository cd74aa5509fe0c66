import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { collaboratorChanged, lastOwner } from "./conflicts.ts";
import { eraseCollaborator, getAgentAndCollaborator } from "./store.ts";

/**
 * Deletes a collaborator of an agent. Throws 404, and 409 for the agent's last Owner.
 */
export const deleteCollaborator = async (
  { db }: { db: Database },
  { tenantId, agentId, userId }: { tenantId: TenantId; agentId: string; userId: string },
): Promise<void> => {
  return retryOnConflict({ error: () => collaboratorChanged(userId) }, async () => {
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
