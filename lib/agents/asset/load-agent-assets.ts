import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { getAgent } from "../agent/store.ts";
import { getRevision } from "../revision/get-revision.ts";
import type { Revision } from "../revision/schemas.ts";

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
