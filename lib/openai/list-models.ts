import { listAllAgents } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import { type EffectActor, findRefusals } from "../tenancy/collaborator/authorize.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import type { ModelList } from "./schemas.ts";
import { toSeconds } from "./to-response.ts";

/** Agents that a list has at most: clients read it whole. */
const maxListed = 1_000;

/** Lists the tenant's agents that have a deployed revision and that the caller may run, by id. */
export const listAgentModels = async (db: Database, actor: EffectActor): Promise<ModelList> => {
  const { tenantId } = actor;
  const data: ModelList["data"] = [];
  for await (const { id, displayName, deployedRevision, createdAt } of listAllAgents(
    db,
    tenantId,
  )) {
    if (data.length === maxListed) break;
    if (deployedRevision === null) continue;
    const created = toSeconds(createdAt);
    data.push({ id, object: "model", created, owned_by: tenantId, name: displayName });
  }
  const ids = data.map(({ id }) => id);
  const refusals = await findRefusals(db, actor, effects.run, ids);
  return { object: "list", data: data.filter(({ id }) => !refusals.has(id)) };
};
