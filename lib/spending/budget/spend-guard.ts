import type { SpendGuard, Spending } from "../../engine/flow/spend-guard.ts";
import { dollars } from "../../engine/models/sums.ts";
import { StepError } from "../../engine/step-error.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type Reservation, reserveSpend } from "./reserve-spend.ts";
import type { BudgetedAgent } from "./schemas.ts";

/** An execution as its run finds it: `reserved` US dollars were reserved on its record by earlier runs. */
export type GuardedExecution = Omit<Reservation, "tenantId" | "agentId"> & { reserved: number };

/** A spend guard that reports the US dollars reserved for its execution. */
export type ReservingGuard = Pick<SpendGuard, "checkUnpriced"> & {
  reserve: (spending: Omit<Spending, "most">) => Promise<void>;
  reserved: () => number;
};

/**
 * Keeps an execution within its agent's budget, as both were when the execution started; undefined without an
 * enforced budget. Concurrent executions together exceed the amount by less than one call. Reservations are
 * also stored on the execution's record, so that they can be released after a crash. `spent` includes calls in
 * progress of parallel steps.
 */
export const spendGuard = (
  { db }: { db: Database },
  tenantId: TenantId,
  { id: agentId, budget }: Pick<BudgetedAgent, "id" | "budget">,
  execution: GuardedExecution,
): ReservingGuard | undefined => {
  if (!budget?.enforceLimit) return undefined;
  const { amount, allowUnpriced } = budget;
  const { reserved: before, ...rest } = execution;
  const reservation = { tenantId, agentId, ...rest };
  let reserved = before;
  let last: Promise<unknown> = Promise.resolve();

  const reserve = async (needed: number): Promise<void> => {
    const more = dollars(needed - reserved);
    if (more <= 0) return;
    const outcome = await reserveSpend(db, reservation, { more, amount });
    if (outcome === "spent") throw budgetSpent(agentId, amount);
    if (outcome === "ended") throw new StepError("execution-failed", "The execution has ended.");
    reserved = dollars(reserved + more);
  };

  return {
    reserved: () => reserved,
    checkUnpriced: (model) => {
      if (!allowUnpriced) throw unpricedModel(agentId, model);
    },
    reserve: ({ spent, estimate }) => {
      const mine = last.then(() => reserve(spent + estimate));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};

/** The error for a model without a price, which an agent with an enforced budget must not call. */
export const unpricedModel = (agentId: string, model: string) =>
  new StepError(
    "execution-failed",
    `The model "${model}" has no price, and the agent "${agentId}" has an enforced budget. Add its price to MODEL_PRICES, or set "allowUnpriced" in the budget.`,
  );

const budgetSpent = (agentId: string, amount: number) =>
  new StepError(
    "budget-exceeded",
    `The budget of the agent "${agentId}", ${amount} USD a month, is used up. Increase it, or wait for the next month (UTC).`,
  );
