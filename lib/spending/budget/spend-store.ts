import * as z from "zod";
import { dollars } from "../../engine/models/sums.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { toMonth } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { putInOutbox } from "../../platform/outbox/outbox-store.ts";
import {
  computeShardTtl,
  isSmall,
  monthSpendKey,
  selectSpendShard,
  spendShardKey,
  spendShardKeys,
} from "./keys.ts";

/** An agent's spending in a month, US dollars: the sum of the month's item and its shards. */
export type MonthSpend = {
  /** Cost of ended executions that started while the agent had a budget, or that were added when it got one. */
  spent: number;
  /** `spent` plus the reservations of running executions. */
  committed: number;
  /** Thresholds that were crossed, in percent of the budget. */
  raised: ReadonlySet<number>;
  /** When usage that was not in `spent` was last added, Unix milliseconds. */
  addedAt: number;
};

const amount = z.number().default(0);
const SpendItem = z.object({
  spent: amount,
  committed: amount,
  raised: z.set(z.number()).default(new Set()),
  addedAt: z.number().default(0),
  /** Of a shard: what it may still reserve of the amounts that the month's item committed to it. */
  left: amount,
});

/** An agent and a month (`2026-11`). */
export type AgentMonth = { tenantId: TenantId; agentId: string; month: string };

/** Keys of the month's item and its shards; `toMonthSpend` sums the items. */
export const monthSpendKeys = ({ tenantId, agentId, month }: AgentMonth) => [
  monthSpendKey(tenantId, agentId, month),
  ...spendShardKeys(tenantId, agentId, month),
];

/** Sums the items of `monthSpendKeys`. */
export const toMonthSpend = (items: readonly unknown[]): MonthSpend => {
  const [main, ...shards] = items.map((item) => SpendItem.parse(item ?? {}));
  const { spent, committed, raised, addedAt } = main ?? SpendItem.parse({});
  const ofShards = shards.reduce((sum, shard) => sum + shard.spent, 0);
  const left = shards.reduce((sum, shard) => sum + shard.left, 0);
  return {
    spent: dollars(spent + ofShards),
    committed: dollars(committed - left),
    raised,
    addedAt,
  };
};

/** SPEND#month of AGENT#a and its shards: reads the agent's spending of a month; zeros when there is none. */
export const getMonthSpend = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  month: string,
): Promise<MonthSpend> =>
  toMonthSpend(await getItems(db, monthSpendKeys({ tenantId, agentId, month }), z.unknown()));

/**
 * Builds the writes that replace an execution's reservation with its cost, both in US dollars; none for an agent
 * without a budget (`amount` null), and none when both are 0. `reserved` is the whole reservation on the
 * execution's record. Amounts that are small for the budget are counted in a shard.
 */
export const settleSpend = (
  tenantId: TenantId,
  execution: { id: string; agentId: string; startTime: number },
  { amount, cost, reserved }: { amount: number | null; cost: number; reserved: number },
): TransactionWrite[] => {
  if ((amount === null || cost === 0) && reserved === 0) return [];
  const { agentId, startTime } = execution;
  const unused = dollars(reserved - dollars(cost));
  const month = toMonth(startTime);
  if (amount !== null && isSmall(Math.max(cost, reserved), amount)) {
    return [
      {
        Update: {
          Key: spendShardKey(tenantId, agentId, month, selectSpendShard(execution.id)),
          UpdateExpression: "SET #ttl = :ttl ADD spent :cost, #left :unused",
          ExpressionAttributeNames: { "#ttl": "ttl", "#left": "left" },
          ExpressionAttributeValues: {
            ":cost": dollars(cost),
            ":unused": unused,
            ":ttl": computeShardTtl(startTime),
          },
        },
      },
    ];
  }
  return [
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, month),
        UpdateExpression: "ADD spent :cost, committed :more",
        ExpressionAttributeValues: { ":cost": dollars(cost), ":more": -unused },
      },
    },
  ];
};

/**
 * Builds the writes that give back what an execution reserved and has not spent, US dollars; the rest stays reserved.
 * `amount`: of its agent's budget; null without one.
 */
export const releaseSpend = (
  tenantId: TenantId,
  execution: { id: string; agentId: string; startTime: number },
  { amount, unused }: { amount: number | null; unused: number },
): TransactionWrite[] => settleSpend(tenantId, execution, { amount, cost: 0, reserved: unused });

/**
 * Adds usage that was counted while the agent had no budget to its month. Returns "changed" when other usage was
 * added meanwhile.
 * @param now Unix milliseconds
 */
export const addSpend = async (
  db: Database,
  { tenantId, agentId, month }: AgentMonth,
  { cost, addedAt, now }: { cost: number; addedAt: number; now: number },
): Promise<"written" | "changed"> => {
  const { written } = await transact(db, [
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, month),
        UpdateExpression: "SET addedAt = :now ADD spent :cost, committed :cost",
        ConditionExpression: "attribute_not_exists(addedAt) OR addedAt = :before",
        ExpressionAttributeValues: { ":cost": cost, ":now": now, ":before": addedAt },
      },
    },
  ]);
  return written ? "written" : "changed";
};

/**
 * Records that a month's spending crossed a threshold, and its event in the outbox; false when it was recorded
 * before.
 */
export const recordThreshold = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  {
    month,
    percent,
    event,
  }: { month: string; percent: number; event: OrganizationEvent | undefined },
): Promise<boolean> => {
  const { written } = await transact(db, [
    {
      Update: {
        Key: monthSpendKey(tenantId, agentId, month),
        UpdateExpression: "ADD raised :raised",
        ConditionExpression: "NOT contains(raised, :percent)",
        ExpressionAttributeValues: { ":raised": new Set([percent]), ":percent": percent },
      },
    },
    ...(event ? [putInOutbox(event)] : []),
  ]);
  return written;
};
