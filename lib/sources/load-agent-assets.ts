import { getAgent } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import type { ObjectStore } from "../db/large-value.ts";
import { notFound } from "../http/problems.ts";
import { getRevision } from "../revision/get-revision.ts";
import type { Revision } from "../revision/schemas.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** What agents' assets are read with. */
export type AgentAssetsDeps = { readonly db: Database; readonly objects: ObjectStore };

/** Assets as a revision names them. */
export type AgentAssets = Revision["assets"];

/**
 * The assets that a revision of an agent names: this one, or else the deployed, or else the latest one; none
 * when there is no revision at all. Throws 404.
 */
export const loadAgentAssets = async (
  deps: AgentAssetsDeps,
  tenantId: TenantId,
  agentId: string,
  revision: number | undefined,
): Promise<AgentAssets> => {
  const agent = await getAgent(deps.db, tenantId, agentId);
  if (!agent) throw notFound("agent", agentId);
  const wanted = revision ?? agent.deployedRevision ?? agent.latestRevision;
  if (!wanted) return [];
  return (await getRevision(deps, tenantId, agentId, wanted)).assets;
};
