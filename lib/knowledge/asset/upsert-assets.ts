import { withoutCompanions } from "../../platform/db/companion-writes.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { RevisionAsset } from "./schemas.ts";
import { maxPerWrite, putAssets } from "./store.ts";

/**
 * Writes the assets of an agent's next revision to the tenant's list. Returns "changed" when the agent was deleted
 * or has a newer revision; the caller starts over.
 *
 * Runs before the revision is written, because 200 assets do not fit in one transaction. A crash in between leaves
 * assets of a missing revision, which the next revision overwrites and the agent's deletion removes. The higher
 * revision of an agent wins, the later of two agents, and the last of two assets with one id.
 */
export const upsertAssets = async (
  db: Database,
  tenantId: TenantId,
  agent: { id: string; latestRevision: number | null },
  revision: { agentRevision: number; createdAt: number; assets: readonly RevisionAsset[] },
): Promise<"written" | "changed"> => {
  const { agentRevision, createdAt } = revision;
  const byId = new Map(revision.assets.map((asset) => [asset.id, asset]));
  const assets = [...byId.values()].map((asset) => ({
    ...asset,
    agentId: agent.id,
    agentRevision,
    modifiedAt: createdAt,
  }));
  const preparing = withoutCompanions(db);
  for (let start = 0; start < assets.length; start += maxPerWrite) {
    let left = assets.slice(start, start + maxPerWrite);
    while (left.length > 0) {
      const outcome = await putAssets(preparing, tenantId, agent, left);
      if (outcome === "changed") return "changed";
      if (outcome === "written") break;
      left = left.filter(({ id }) => !outcome.outdated.has(id));
    }
  }
  return "written";
};
