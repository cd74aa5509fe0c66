import * as z from "zod";
import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { monthSpendKey, spendShardKey, spendShardKeys } from "./keys.ts";
import { toMonth } from "./month.ts";
import { computeShardTtl, isSmall, selectSpendShard } from "./spend-shards.ts";
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

/** Part of the amount that the month's item commits to a shard at once. */
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

/** Commits a share of the month to a shard; false when it does not fit. */
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
