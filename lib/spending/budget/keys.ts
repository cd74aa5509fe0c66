import { agentPartition, type Key, toMonthPeriod } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** Number of shards of an agent's spending. */
export const spendShards = 8;

/** A shard of an agent's spending and reservations in a month, in a partition of its own. */
export const spendShardKey = (
  tenantId: TenantId,
  agentId: string,
  month: string,
  shard: number,
): Key => ({
  pk: `${agentPartition(tenantId, agentId)}#SPEND#${shard}`,
  sk: `SPEND#${month}`,
});

/** All shards of an agent's spending in a month. */
export const spendShardKeys = (tenantId: TenantId, agentId: string, month: string): Key[] =>
  Array.from({ length: spendShards }, (_, shard) => spendShardKey(tenantId, agentId, month, shard));

/** An agent's spending and reservations in a month (`2026-11`, UTC). */
export const monthSpendKey = (tenantId: TenantId, agentId: string, month: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `SPEND#${month}`,
});

/**
 * A budget that covers fewer calls is used up within 10 seconds at 1,000 executions a second: its spending is one
 * item, which is exact.
 */
const callsOfLargeBudget = 10_000;

/** Returns whether US dollars are so little of a budget's amount that they are reserved and counted in a shard. */
export const isSmall = (dollars: number, amount: number): boolean =>
  dollars * callsOfLargeBudget <= amount;

/** Returns the shard that an execution's small amounts are in. */
export const selectSpendShard = (executionId: string): number =>
  Number.parseInt(executionId.slice(-2), 16) % spendShards;

const keptMs = 35 * 24 * 3_600_000;

/** Returns when a shard of the month of a time may be removed, epoch seconds. */
export const computeShardTtl = (time: number): number =>
  Math.ceil((toMonthPeriod(time).periodEnd + keptMs) / 1_000);
