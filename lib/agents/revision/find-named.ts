import type { AgentUse } from "../../engine/flow/step-type.ts";
import type { Database } from "../../platform/db/database.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { AgentItem } from "../agent/store.ts";
import { findUnknownGuardrails } from "../guardrail/find-unknown-guardrails.ts";
import type { RevisionContent } from "./content.ts";
import { findAgents } from "./find-agents.ts";
import { findAssets, type NamedAssets } from "./named-assets.ts";
import { findConfigs, findUnknownSkills, type NamedConfigs } from "./named-tools.ts";
import { findUnknownWebhooks } from "./named-webhooks.ts";

const maxErrors = 50;

/**
 * Reads the agents, assets and integration configs that a revision names. Throws 400 with a pointer to each name,
 * also of a skill, a webhook or a guardrail, that does not exist, and the nearest one that does to a caller who may list that kind.
 */
export const findNamed = async (
  db: Database,
  ctx: Pick<TenantContext, "principal" | "tenant">,
  input: { agentId: string; uses: readonly AgentUse[]; content: RevisionContent },
): Promise<{ agents: AgentItem[]; assets: NamedAssets; configs: NamedConfigs }> => {
  const { id: tenantId } = ctx.tenant;
  const [agents, assets, configs, skills, webhooks, guardrails] = await Promise.all([
    findAgents(db, ctx, input),
    findAssets(db, ctx, input.content),
    findConfigs(db, ctx, input.content),
    findUnknownSkills(db, ctx, input.content),
    findUnknownWebhooks(db, ctx, input.content),
    findUnknownGuardrails(db, tenantId, input.content.guardrails),
  ]);
  const errors = [
    ...agents.errors,
    ...assets.errors,
    ...configs.errors,
    ...skills,
    ...webhooks,
    ...guardrails,
  ];
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors));
  return { agents: agents.agents, assets: assets.stored, configs: configs.configs };
};
