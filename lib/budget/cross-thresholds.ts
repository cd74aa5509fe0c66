import type { AgentItem } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import { dollars } from "../models/sums.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { getMonthSpend, raiseThreshold } from "./spend-store.ts";

/**
 * The percents of an agent's budget that its spending in a month has newly reached. Of all callers,
 * whoever comes first gets a percent of a month; nobody gets it again, also not when the budget changes.
 */
export const crossThresholds = async (
  { db }: { db: Database },
  tenantId: TenantId,
  { id: agentId, budget }: Pick<AgentItem, "id" | "budget">,
  month: string,
): Promise<number[]> => {
  if (!budget || budget.thresholdRules.length === 0) return [];
  const { spent, raised } = await getMonthSpend(db, tenantId, agentId, month);
  const crossed: number[] = [];
  for (const { percent } of budget.thresholdRules) {
    const reached = dollars(spent * 100) >= dollars(percent * budget.amount);
    if (!reached || raised.has(percent)) continue;
    if (await raiseThreshold(db, tenantId, agentId, { month, percent })) crossed.push(percent);
  }
  return crossed.toSorted((one, other) => one - other);
};
