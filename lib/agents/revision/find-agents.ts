import type { AgentUse } from "../../engine/flow/step-type.ts";
import type { Database } from "../../platform/db/database.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { type AgentItem, getAgents, listAgents } from "../agent/store.ts";

const suggestedFrom = 100;

/**
 * Reads the agents that a revision uses, and the agent itself; finds references to those that do not exist. Suggests
 * others to a caller who may list them.
 */
export const findAgents = async (
  db: Database,
  { principal, tenant }: Pick<TenantContext, "principal" | "tenant">,
  { agentId, uses }: { agentId: string; uses: readonly AgentUse[] },
): Promise<{ agents: AgentItem[]; errors: ValidationIssue[] }> => {
  if (uses.length === 0) return { agents: [], errors: [] };
  const ids = new Set([agentId, ...uses.map((use) => use.agentId)]);
  const agents = await getAgents(db, tenant.id, [...ids]);
  const known = new Set(agents.map(({ id }) => id));
  const missing = uses.filter((use) => !known.has(use.agentId));
  if (missing.length === 0) return { agents, errors: [] };
  const page = { size: suggestedFrom, skip: 0 };
  const mayList = hasScope(principal, "agents:read");
  const items = mayList ? (await listAgents(db, tenant.id, page)).items : [];
  const others = items.map(({ id }) => id).filter((id) => id !== agentId);
  const errors = missing.map((use) => ({
    pointer: use.pointer,
    detail: didYouMean(`there is no agent "${use.agentId}"`, use.agentId, others),
  }));
  return { agents, errors };
};
