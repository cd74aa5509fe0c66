import type { BudgetItem } from "../../agents/agent/budget.ts";
import { dollars } from "../../engine/models/sums.ts";
import { toMonthPeriod } from "./month.ts";
import type { AgentBudget } from "./schemas.ts";

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
