import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { notFound } from "../../platform/http/problems.ts";
import { getAgent } from "../agent/store.ts";
import { getRevision } from "./get-revision.ts";
import type { Revision } from "./schemas.ts";

/** Dependencies of reading an agent's assets. */
export type AgentAssetsDeps = { readonly db: Database; readonly objects: ObjectStore };

/** The assets that a revision references. */
export type AgentAssets = Revision["assets"];

/**
 * Returns the assets of the given revision, else of the deployed one, else of the latest; none without
 * revisions. Throws 404.
 */
export const loadAgentAssets = async (
  deps: AgentAssetsDeps,
  {
    tenantId,
    agentId,
    revision,
  }: { tenantId: TenantId; agentId: string; revision: number | undefined },
): Promise<AgentAssets> => {
  const agent = await getAgent(deps.db, tenantId, agentId);
  if (!agent) throw notFound("agent", agentId);
  const wanted = revision ?? agent.deployedRevision ?? agent.latestRevision;
  if (!wanted) return [];
  return (await getRevision(deps, { tenantId, agentId, revision: wanted })).assets;
};
