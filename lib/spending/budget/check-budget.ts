import type { BudgetItem } from "../../agents/agent/budget.ts";
import { dollars } from "../../engine/models/sums.ts";
import { toMonth, toMonthPeriod } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { publishThresholds, type ThresholdDeps } from "./cross-thresholds.ts";
import { readSpend } from "./read-spend.ts";
import type { AgentBudget, BudgetedAgent } from "./schemas.ts";

/**
 * Maps a stored budget to its public representation.
 * @param spent US dollars in the month of `now` (Unix milliseconds)
 */
export const toBudget = (
  agentId: string,
  budget: BudgetItem,
  { spent, now }: { spent: number; now: number },
): AgentBudget => ({
  agentId,
  amount: budget.amount,
  thresholdRules: budget.thresholdRules,
  enforceLimit: budget.enforceLimit,
  allowUnpriced: budget.allowUnpriced,
  currentMonthlyCost: spent,
  usagePercent: dollars((spent / budget.amount) * 100),
  ...toMonthPeriod(now),
  createdAt: budget.createdAt,
  modifiedAt: budget.modifiedAt,
});

/** The outcome of a budget check; `exceeded` is the used-up budget. */
export type BudgetCheck = { ok: true } | { ok: false; exceeded: AgentBudget };

/**
 * Checks whether an enforced budget is used up; reservations of running executions count. Publishes crossed
 * thresholds when it is. Reads storage only for an agent that enforces a budget.
 */
export const checkBudget = async (
  deps: ThresholdDeps,
  { tenantId, agent }: { tenantId: TenantId; agent: BudgetedAgent },
): Promise<BudgetCheck> => {
  const { budget } = agent;
  if (!budget?.enforceLimit) return { ok: true };
  const now = deps.clock();
  const month = toMonth(now);
  const { spent, committed } = await readSpend(deps.db, tenantId, agent, now);
  if (committed < budget.amount) return { ok: true };
  await publishThresholds(deps, { tenantId, agent, month });
  return { ok: false, exceeded: toBudget(agent.id, budget, { spent, now }) };
};

/** Returns the detail of a refusal for a used-up budget. */
export const budgetDetail = ({ amount }: Pick<AgentBudget, "amount">): string =>
  `This agent's budget of ${amount} USD a month is spent. Raise it, or wait for the next month (UTC).`;
