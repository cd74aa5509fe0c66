import type { TenantId } from "../../platform/db/tenant-id.ts";
import { budgetExceeded } from "../../platform/http/problems.ts";
import type { AgentItem } from "../agent/store.ts";
import type { CrossingDeps } from "./cross-thresholds.ts";
import { monthOf } from "./month.ts";
import { raiseThresholds } from "./raise-thresholds.ts";
import { getMonthSpend } from "./spend-store.ts";
import { toBudget } from "./to-budget.ts";

/**
 * Throws 402 for an agent whose enforced budget is used up, money set aside by executions under way
 * included, and makes sure that this was told. Asks storage only for an agent that enforces one.
 */
export const assertBudgetLeft = async (
  deps: CrossingDeps,
  tenantId: TenantId,
  agent: Pick<AgentItem, "id" | "createdAt" | "budget">,
): Promise<void> => {
  const { budget } = agent;
  if (!budget?.enforceLimit) return;
  const now = deps.clock();
  const month = monthOf(now);
  const { spent, committed } = await getMonthSpend(deps.db, tenantId, agent.id, month);
  if (committed < budget.amount) return;
  await raiseThresholds(deps, tenantId, agent, month);
  throw budgetExceeded(toBudget(agent.id, budget, { spent, now }));
};
