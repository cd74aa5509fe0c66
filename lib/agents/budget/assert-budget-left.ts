import type { TenantId } from "../../platform/db/tenant-id.ts";
import { budgetExceeded } from "../../platform/http/problems.ts";
import type { AgentItem } from "../agent/store.ts";
import type { ThresholdDeps } from "./cross-thresholds.ts";
import { monthOf } from "./month.ts";
import { publishThresholds } from "./publish-thresholds.ts";
import { getMonthSpend } from "./spend-store.ts";
import { toBudget } from "./to-budget.ts";

/**
 * Checks that an enforced budget is not used up; reservations of running executions count. Publishes crossed
 * thresholds when it is. Reads storage only for an agent that enforces a budget.
 */
export const assertBudgetLeft = async (
  deps: ThresholdDeps,
  tenantId: TenantId,
  agent: Pick<AgentItem, "id" | "createdAt" | "budget">,
): Promise<void> => {
  const { budget } = agent;
  if (!budget?.enforceLimit) return;
  const now = deps.clock();
  const month = monthOf(now);
  const { spent, committed } = await getMonthSpend(deps.db, tenantId, agent.id, month);
  if (committed < budget.amount) return;
  await publishThresholds(deps, tenantId, agent, month);
  throw budgetExceeded(toBudget(agent.id, budget, { spent, now }));
};
