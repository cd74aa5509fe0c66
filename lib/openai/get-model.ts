import { getAgent } from "../agents/agent/store.ts";
import { getRevisionItem } from "../agents/revision/store.ts";
import type { Database } from "../platform/db/database.ts";
import { type EffectActor, findRefusals } from "../tenancy/collaborator/authorize.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import { noModel, parseModel } from "./ids.ts";
import type { Model } from "./schemas.ts";
import { toModel } from "./to-model.ts";

/**
 * Returns the agent that `model` names, or its revision. Throws 404 for one that does not exist, has no deployed revision, or
 * that the caller may not run.
 */
export const getAgentModel = async (
  db: Database,
  { actor, model }: { actor: EffectActor; model: string },
): Promise<Model> => {
  const { agentId, revision } = parseModel(model);
  const { tenantId } = actor;
  const [agent, refusals, named] = await Promise.all([
    getAgent(db, tenantId, agentId),
    findRefusals(db, actor, effects.run, [agentId]),
    revision === undefined ? undefined : getRevisionItem(db, tenantId, agentId, revision),
  ]);
  if (!agent || refusals.has(agentId)) throw noModel(model);
  const isThere = revision === undefined ? agent.deployedRevision !== null : named !== undefined;
  if (!isThere) throw noModel(model);
  return { ...toModel(tenantId, agent), id: model };
};
