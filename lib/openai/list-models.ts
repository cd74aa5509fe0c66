import { type AgentItem, listAllAgents } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import { type EffectActor, findRefusals } from "../tenancy/collaborator/authorize.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import type { ModelList } from "./schemas.ts";
import { toModel } from "./to-model.ts";

/** Agents that a list has at most: clients read it whole. */
const maxListed = 1_000;
/** Agents for which permissions are checked together. */
const checkedTogether = 100;

/** Lists the tenant's agents that have a deployed revision and that the caller may run, by id. */
export const listAgentModels = async (db: Database, actor: EffectActor): Promise<ModelList> => {
  const { tenantId } = actor;
  const data: ModelList["data"] = [];
  let unchecked: AgentItem[] = [];
  const check = async (): Promise<void> => {
    const ids = unchecked.map(({ id }) => id);
    const refusals = await findRefusals(db, actor, effects.run, ids);
    for (const agent of unchecked) {
      if (refusals.has(agent.id) || data.length === maxListed) continue;
      data.push(toModel(tenantId, agent));
    }
    unchecked = [];
  };
  for await (const agent of listAllAgents(db, tenantId)) {
    if (agent.deployedRevision !== null) unchecked.push(agent);
    if (unchecked.length === checkedTogether) await check();
    if (data.length === maxListed) break;
  }
  await check();
  return { object: "list", data };
};
