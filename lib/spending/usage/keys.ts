import { type Key, type ListKey, revisionDigits } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

const usagePartitions = 4;
const usagePartition = (tenantId: TenantId, month: string, partition: number): string =>
  `TENANT#${tenantId}#USAGE#${month}#${partition}`;

/**
 * Counters of an agent's usage: per UTC day of start, revision, trigger type and shard. The shards of a tenant's
 * month are in four partitions, so that reading the usage of all agents is four queries a month.
 */
export const usageKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { day: string; revision: number; trigger: number; shard: number },
): Key => {
  const { day, revision, trigger, shard } = counter;
  const partition = shard % usagePartitions;
  return {
    pk: usagePartition(tenantId, day.slice(0, 7), partition),
    sk: [agentId, day.slice(8), revisionDigits(revision), trigger, shard].join("#"),
  };
};

/** Returns whether two keys are of shards of one usage counter. */
export const isSameCounter = (
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean => {
  const counter = withoutShard(one);
  return counter !== undefined && counter === withoutShard(other);
};

/** Returns what the shards of a usage counter have in common; undefined for another key. */
const withoutShard = ({ pk, sk }: Readonly<Record<string, unknown>>): string | undefined => {
  const [, month] = /^(TENANT#[^#]+#USAGE#[^#]+)#\d+$/.exec(String(pk)) ?? [];
  return month && `${month} ${String(sk).replace(/#\d+$/, "")}`;
};

/** Usage counters of a tenant in a month (`2026-11`, UTC), or of one of its agents, by agent and day. */
export const monthUsageLists = (tenantId: TenantId, month: string, agentId?: string): ListKey[] =>
  Array.from({ length: usagePartitions }, (_, partition) => ({
    pk: usagePartition(tenantId, month, partition),
    prefix: agentId === undefined ? "" : `${agentId}#`,
  }));

const scoreCounterPartition = (tenantId: TenantId, month: string, partition: number): string =>
  `TENANT#${tenantId}#SCORES#${month}#${partition}`;

/** Counters of the scores of an agent's executions: per UTC day of their start, revision and shard. */
export const scoreCounterKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { day: string; revision: number; shard: number },
): Key => {
  const { day, revision, shard } = counter;
  return {
    pk: scoreCounterPartition(tenantId, day.slice(0, 7), shard % usagePartitions),
    sk: [agentId, day.slice(8), revisionDigits(revision), shard].join("#"),
  };
};

/** Counters of scores of a tenant in a month (`2026-11`, UTC), or of one of its agents, by agent and day. */
export const monthScoreLists = (tenantId: TenantId, month: string, agentId?: string): ListKey[] =>
  Array.from({ length: usagePartitions }, (_, partition) => ({
    pk: scoreCounterPartition(tenantId, month, partition),
    prefix: agentId === undefined ? "" : `${agentId}#`,
  }));
