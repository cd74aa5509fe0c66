import type { AgentItem } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import { budgetExceeded } from "../http/problems.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { monthOf } from "./month.ts";
import { getMonthSpend } from "./spend-store.ts";
import { toBudget } from "./to-budget.ts";

/**
 * Throws 402 for an agent whose enforced budget is used up, money set aside by executions under way
 * included. Asks storage only for an agent that enforces one.
 * @param now Unix milliseconds
 */
export const assertBudgetLeft = async (
  { db }: { db: Database },
  tenantId: TenantId,
  agent: Pick<AgentItem, "id" | "budget">,
  now: number,
): Promise<void> => {
  const { budget } = agent;
  if (!budget?.enforceLimit) return;
  const { spent, committed } = await getMonthSpend(db, tenantId, agent.id, monthOf(now));
  if (committed >= budget.amount) throw budgetExceeded(toBudget(agent.id, budget, { spent, now }));
};
