import { listAllAgents } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import type { ModelList } from "./schemas.ts";
import { toSeconds } from "./to-response.ts";

/** Agents that a list has at most: clients read it whole. */
const maxListed = 1_000;

/** Lists the tenant's agents that have a deployed revision, by id. */
export const listAgentModels = async (
  db: Database,
  tenant: Pick<TenantOwner, "id">,
): Promise<ModelList> => {
  const data: ModelList["data"] = [];
  for await (const { id, displayName, deployedRevision, createdAt } of listAllAgents(
    db,
    tenant.id,
  )) {
    if (data.length === maxListed) break;
    if (deployedRevision === null) continue;
    const created = toSeconds(createdAt);
    data.push({ id, object: "model", created, owned_by: tenant.id, name: displayName });
  }
  return { object: "list", data };
};
