import type { SpendGuard, SpendLimit } from "../../engine/flow/spend-guard.ts";
import { StepError } from "../../engine/step-error.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { budgetDetail, checkBudget, type ThresholdDeps } from "./check-budget.ts";
import { unpricedModel } from "./reserve-spend.ts";
import type { BudgetedAgent } from "./schemas.ts";

/**
 * Returns a limit that refuses calls of models in the background, such as those of judges, when an agent's enforced budget is
 * used up, or when a model has no price; undefined without an enforced budget. It reserves nothing: what the calls cost counts
 * when their work is done.
 */
export const budgetLimit = (
  deps: ThresholdDeps,
  { tenantId, agent }: { tenantId: TenantId; agent: BudgetedAgent },
): SpendLimit | undefined => {
  const { budget } = agent;
  if (!budget?.enforceLimit) return undefined;
  const guard: SpendGuard = {
    checkUnpriced: (model) => {
      if (!budget.allowUnpriced) throw unpricedModel(agent.id, model);
    },
    reserve: async () => {
      const check = await checkBudget(deps, { tenantId, agent });
      if (!check.ok) throw new StepError("budget-exceeded", budgetDetail(check.exceeded));
    },
  };
  return { guardFor: () => guard, count: () => undefined };
};
