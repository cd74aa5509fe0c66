import type { AgentItem } from "../../agents/agent/store.ts";
import type { SpendGuard, SpendLimit } from "../../engine/flow/spend-guard.ts";
import { StepError } from "../../engine/step-error.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { budgetDetail, checkBudget } from "../../spending/budget/check-budget.ts";
import type { ThresholdDeps } from "../../spending/budget/cross-thresholds.ts";
import { unpricedModel } from "../../spending/budget/reserve-spend.ts";

/**
 * Returns a limit that refuses the calls of an agent's judges when its enforced budget is used up, or when a model has no
 * price; undefined without an enforced budget. It reserves nothing: what judges cost counts when they have scored.
 */
export const budgetLimit = (
  deps: ThresholdDeps,
  { tenantId, agent }: { tenantId: TenantId; agent: AgentItem },
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
