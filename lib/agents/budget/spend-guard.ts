import type { SpendGuard } from "../../engine/flow/spend-guard.ts";
import { StepError } from "../../engine/flow/step-error.ts";
import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { AgentItem } from "../agent/store.ts";
import { monthOf } from "./month.ts";
import { reserveSpend } from "./spend-store.ts";

/** A guard that can say how many US dollars its execution has set aside. */
export type ReservingGuard = SpendGuard & { reserved: () => number };

/**
 * Keeps an execution within its agent's budget as it was when the execution began, in the month in which it
 * began; undefined for an agent that enforces none. However many executions run at once, what they set aside
 * goes beyond the amount by less than one call. What is set aside stands on the execution's record too,
 * so that whoever ends it, also after a crash, knows what to release. Steps that run side by side count each
 * other's calls under way in `spent`.
 * @param reservedSoFar US dollars that stand on the record already, for a run that another began
 */
export const spendGuard = (
  { db }: { db: Database },
  tenantId: TenantId,
  { id: agentId, budget }: Pick<AgentItem, "id" | "budget">,
  execution: { id: string; startTime: number },
  reservedSoFar: number,
): ReservingGuard | undefined => {
  if (!budget?.enforceLimit) return undefined;
  const { amount } = budget;
  const month = monthOf(execution.startTime);
  const reservation = { tenantId, agentId, month, executionId: execution.id };
  let reserved = reservedSoFar;
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
    reserve: ({ spent, estimate }) => {
      const mine = last.then(() => reserve(spent + estimate));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};

const budgetSpent = (agentId: string, amount: number) =>
  new StepError(
    "budget-exceeded",
    `The budget of the agent "${agentId}", ${amount} USD a month, is spent. Raise it, or wait for the next month (UTC).`,
  );
