import { agentPartition, type Key } from "../../platform/db/keys.ts";
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
