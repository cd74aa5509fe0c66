import * as z from "zod";
import type { SpendGuard, Spending } from "../../engine/flow/spend-guard.ts";
import { dollars } from "../../engine/models/sums.ts";
import { StepError } from "../../engine/step-error.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { toMonth } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import {
  computeShardTtl,
  isSmall,
  monthSpendKey,
  selectSpendShard,
  spendShardKey,
  spendShardKeys,
} from "./keys.ts";
import type { BudgetedAgent } from "./schemas.ts";
import type { AgentMonth } from "./spend-store.ts";

/** The execution that amounts are reserved for. */
export type Reservation = {
  tenantId: TenantId;
  agentId: string;
  executionId: string;
  /** Unix milliseconds; the reservation is in the month of it. */
  startTime: number;
  /** Builds the write that adds US dollars to the reservation on the execution's record, unless it has ended. */
  reserveOnRecord: (more: number) => TransactionWrite;
};

/** Amounts in US dollars: what to reserve, and the budget's amount. */
type Amounts = { more: number; amount: number };

/** Shares of a budget's amount; the month's item commits one of them, or more, to a shard. */
const sharesOfAmount = 1_000;

/**
 * Reserves `more` US dollars for an execution, on its record and in its month, while the committed sum is below
 * `amount`. Returns "spent" when it is not, "ended" when the execution has ended.
 *
 * Small amounts are reserved in a shard, which has a share that the month's item committed to it before; shares are
 * only committed as long as they fit, so that shards never exceed the amount together. When the amount is used up,
 * what the shards have left is returned to the month's item first.
 */
export const reserveSpend = async (
  db: Database,
  reservation: Reservation,
  amounts: Amounts,
): Promise<"reserved" | "spent" | "ended"> => {
  if (isSmall(amounts.more, amounts.amount)) {
    const outcome = await reserveInShard(db, reservation, amounts);
    if (outcome !== "full") return outcome;
  }
  const outcome = await reserveInMonth(db, reservation, amounts);
  if (outcome !== "spent") return outcome;
  const { tenantId, agentId, startTime } = reservation;
  const isMore = await collectShards(db, { tenantId, agentId, month: toMonth(startTime) });
  return isMore ? reserveInMonth(db, reservation, amounts) : "spent";
};

const reserveInMonth = async (
  db: Database,
  reservation: Reservation,
  { more, amount }: Amounts,
): Promise<"reserved" | "spent" | "ended"> => {
  const { tenantId, agentId, startTime } = reservation;
  const outcome = await transact(db, [
    reservation.reserveOnRecord(more),
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, toMonth(startTime)),
        UpdateExpression: "ADD committed :more",
        ConditionExpression: "attribute_not_exists(committed) OR committed < :amount",
        ExpressionAttributeValues: { ":more": more, ":amount": amount },
      },
    },
  ]);
  if (outcome.written) return "reserved";
  return outcome.failed[0] ? "ended" : "spent";
};

const reserveInShard = async (
  db: Database,
  reservation: Reservation,
  amounts: Amounts,
): Promise<"reserved" | "full" | "ended"> => {
  const { tenantId, agentId, startTime, executionId } = reservation;
  const shard = spendShardKey(tenantId, agentId, toMonth(startTime), selectSpendShard(executionId));
  for (;;) {
    const outcome = await transact(db, [
      reservation.reserveOnRecord(amounts.more),
      {
        Update: {
          Key: shard,
          UpdateExpression: "ADD #left :less",
          ConditionExpression: "#left >= :more",
          ExpressionAttributeNames: { "#left": "left" },
          ExpressionAttributeValues: { ":less": -amounts.more, ":more": amounts.more },
        },
      },
    ]);
    if (outcome.written) return "reserved";
    if (outcome.failed[0]) return "ended";
    if (!(await commitShare(db, reservation, shard, amounts))) return "full";
  }
};

/** Commits a share of the month to a shard; false when the shard has no room for it. */
const commitShare = async (
  db: Database,
  { tenantId, agentId, startTime }: Reservation,
  shard: { pk: string; sk: string },
  { more, amount }: Amounts,
): Promise<boolean> => {
  const share = dollars(Math.max(more, amount / sharesOfAmount));
  const { written } = await transact(db, [
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, toMonth(startTime)),
        UpdateExpression: "ADD committed :share",
        ConditionExpression: "attribute_not_exists(committed) OR committed <= :most",
        ExpressionAttributeValues: { ":share": share, ":most": dollars(amount - share) },
      },
    },
    {
      Update: {
        Key: shard,
        UpdateExpression: "SET #ttl = :ttl ADD #left :share",
        ExpressionAttributeNames: { "#left": "left", "#ttl": "ttl" },
        ExpressionAttributeValues: { ":share": share, ":ttl": computeShardTtl(startTime) },
      },
    },
  ]);
  return written;
};

const Shard = z.object({ pk: z.string(), sk: z.string(), left: z.number().default(0) });

/**
 * Returns what the shards have left to the month's item, and adds what they spent beyond their shares. Returns
 * whether there was any.
 */
export const collectShards = async (
  db: Database,
  { tenantId, agentId, month }: AgentMonth,
): Promise<boolean> => {
  const shards = await getItems(db, spendShardKeys(tenantId, agentId, month), Shard);
  const used = shards.filter((shard) => shard !== undefined && shard.left !== 0);
  for (const { pk, sk, left } of used.filter((shard) => shard !== undefined)) {
    await transact(db, [
      {
        Update: {
          Key: { pk, sk },
          UpdateExpression: "ADD #left :less",
          ConditionExpression: "#left = :left",
          ExpressionAttributeNames: { "#left": "left" },
          ExpressionAttributeValues: { ":less": -left, ":left": left },
        },
      },
      {
        Update: {
          Key: monthSpendKey(tenantId, agentId, month),
          UpdateExpression: "ADD committed :less",
          ExpressionAttributeValues: { ":less": -left },
        },
      },
    ]);
  }
  return used.length > 0;
};

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
  {
    tenantId,
    agent: { id: agentId, budget },
    execution,
  }: {
    tenantId: TenantId;
    agent: Pick<BudgetedAgent, "id" | "budget">;
    execution: GuardedExecution;
  },
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
