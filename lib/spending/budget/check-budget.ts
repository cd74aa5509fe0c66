import type { BudgetItem } from "../../agents/agent/budget.ts";
import type { SpendGuard, SpendLimit } from "../../engine/flow/spend-guard.ts";
import { dollars } from "../../engine/models/sums.ts";
import { StepError } from "../../engine/step-error.ts";
import type { Database } from "../../platform/db/database.ts";
import { toMonth, toMonthPeriod } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { enqueueEvent } from "../../platform/outbox/enqueue-event.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import { sumMeasures } from "../usage/measures.ts";
import { readAgentUsage } from "../usage/store.ts";
import { unpricedModel } from "./reserve-spend.ts";
import type { AgentBudget, BudgetedAgent } from "./schemas.ts";
import { addSpend, getMonthSpend, type MonthSpend, recordThreshold } from "./spend-store.ts";

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
type BudgetCheck = { ok: true } | { ok: false; exceeded: AgentBudget };

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

/** Dependencies of publishing a threshold. */
type ThresholdDeps = { db: Database; send: Send; clock: Clock };

/**
 * Returns the percents of an agent's budget that its spending has newly reached, and publishes them. Each
 * percent is returned to one caller once a month, even when the budget changes.
 */
export const crossThresholds = async (
  { db, send, clock }: ThresholdDeps,
  { tenantId, agent, month }: { tenantId: TenantId; agent: BudgetedAgent; month: string },
): Promise<number[]> => {
  const { id: agentId, createdAt, budget } = agent;
  if (!budget || budget.thresholdRules.length === 0) return [];
  const { amount, thresholdRules } = budget;
  const now = clock();
  const { spent, raised } = await (month === toMonth(now)
    ? readSpend(db, tenantId, agent, now)
    : getMonthSpend(db, tenantId, agentId, month));
  const owner = await findOwner(db, tenantId, now);
  const crossed: number[] = [];
  for (const { percent } of thresholdRules) {
    const reached = dollars(spent * 100) >= dollars(percent * amount);
    if (!reached || raised.has(percent)) continue;
    const event: OrganizationEvent | undefined = owner && {
      // A new agent with the id of a deleted one has events of its own.
      id: `agent.budget.threshold:${tenantId}:${agentId}:${createdAt}:${month}:${percent}`,
      type: "agent.budget.threshold",
      organizationId: owner.organizationId,
      tenantId,
      agentId,
      occurredAt: now,
      data: { percent, month, amount, spent, usagePercent: dollars((spent / amount) * 100) },
    };
    if (!(await recordThreshold(db, tenantId, agentId, { month, percent, event }))) continue;
    crossed.push(percent);
    if (event) await enqueueEvent(send, event);
  }
  return crossed.toSorted((one, other) => one - other);
};

/** Publishes the percents of an agent's budget that were newly reached; best effort, never throws. */
export const publishThresholds = async (
  deps: ThresholdDeps,
  { tenantId, agent, month }: { tenantId: TenantId; agent: BudgetedAgent; month: string },
): Promise<void> => {
  try {
    for (const percent of await crossThresholds(deps, { tenantId, agent, month })) {
      log("budget-threshold-crossed", { tenantId, agentId: agent.id, percent });
    }
  } catch (error) {
    log("budget-thresholds-unchecked", { error: asError(error) });
  }
};

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
const readSpend = async (
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
