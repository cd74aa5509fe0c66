import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import { toMonth, toMonthPeriod } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { sumMeasures } from "../usage/measures.ts";
import { readAgentUsage } from "../usage/store.ts";
import type { BudgetedAgent } from "./schemas.ts";
import { addSpend, getMonthSpend, type MonthSpend } from "./spend-store.ts";

/** No execution that started before a budget was set runs longer than this, with all its repetitions. */
const longestRunMs = 3_600_000;

/** Returns the cost of an agent's executions that started in the month of `now`, US dollars. */
export const readMonthCost = async (
  db: Database,
  tenantId: TenantId,
  { id, createdAt }: Pick<BudgetedAgent, "id" | "createdAt">,
  now: number,
): Promise<number> => {
  const since = Math.max(createdAt, toMonthPeriod(now).periodStart);
  const counters = await readAgentUsage(db, tenantId, id, { since, now });
  return sumMeasures(counters.flatMap(({ models }) => models)).totalCost;
};

/**
 * Adds the month's usage that was counted while the agent had no budget to its spending, and returns the spending.
 * Safe to repeat: the usage is read before the spending, so that nothing is added twice.
 */
export const addEarlierUsage = async (
  db: Database,
  tenantId: TenantId,
  agent: Pick<BudgetedAgent, "id" | "createdAt">,
  now: number,
): Promise<MonthSpend> => {
  const place = { tenantId, agentId: agent.id, month: toMonth(now) };
  const byDay = await readMonthCost(db, tenantId, agent, now);
  const spend = await getMonthSpend(db, tenantId, agent.id, place.month);
  const cost = Math.max(0, dollars(byDay - spend.spent));
  await addSpend(db, place, { cost, addedAt: spend.addedAt, now });
  return getMonthSpend(db, tenantId, agent.id, place.month);
};

/**
 * Returns an agent's spending in the month of `now`. Once after a budget was set, adds the usage of executions that
 * were running at that time, which do not know of it.
 */
export const readSpend = async (
  db: Database,
  tenantId: TenantId,
  agent: BudgetedAgent,
  now: number,
): Promise<MonthSpend> => {
  const spend = await getMonthSpend(db, tenantId, agent.id, toMonth(now));
  const ended = (agent.budget?.createdAt ?? 0) + longestRunMs;
  const isThisMonth = ended >= toMonthPeriod(now).periodStart;
  if (!isThisMonth || now < ended || spend.addedAt >= ended) return spend;
  return addEarlierUsage(db, tenantId, agent, now);
};
