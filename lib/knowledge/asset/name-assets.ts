import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { RevisionAsset } from "./schemas.ts";
import { mostTogether, putAssets } from "./store.ts";

/**
 * Puts the assets that an agent's next revision names into the tenant's list, before the revision is
 * written: 200 of them do not fit in its transaction. A crash between the two leaves assets in the list that
 * name a revision which never came, or is another one; they do no harm, are written anew when the revision is
 * made again, and go with the agent. Of an agent's revisions the higher number wins, of two agents the later
 * time; of assets with one id in a revision the last.
 * Gives "changed" when the agent has another latest revision by now, or is gone: its caller starts over.
 * @param revision its number, the time of its making (Unix milliseconds), and what it names
 */
export const nameAssets = async (
  db: Database,
  tenantId: TenantId,
  agent: { id: string; latestRevision: number | null },
  revision: { agentRevision: number; createdAt: number; assets: readonly RevisionAsset[] },
): Promise<"written" | "changed"> => {
  const { agentRevision, createdAt } = revision;
  const byId = new Map(revision.assets.map((asset) => [asset.id, asset]));
  const named = [...byId.values()].map((asset) => ({
    ...asset,
    agentId: agent.id,
    agentRevision,
    modifiedAt: createdAt,
  }));
  for (let start = 0; start < named.length; start += mostTogether) {
    let left = named.slice(start, start + mostTogether);
    while (left.length > 0) {
      const outcome = await putAssets(db, tenantId, agent, left);
      if (outcome === "changed") return "changed";
      if (outcome === "written") break;
      left = left.filter(({ id }) => !outcome.outdated.has(id));
    }
  }
  return "written";
};
