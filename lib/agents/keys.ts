import {
  agentPartition,
  type Key,
  type ListKey,
  revisionDigits,
  shards,
  tenantPartition,
} from "../platform/db/keys.ts";
import { TenantId } from "../platform/db/tenant-id.ts";

/** The execution that items and values belong to. */
export type ExecutionPlace = {
  tenantId: TenantId;
  agentId: string;
  executionId: string;
  /** The partition of its record, a hexadecimal digit; `ownShard` for the agent's own partition. */
  shard: string;
};

/** The shard of executions in their agent's own partition: all of an agent that never reached a partition's limit. */
export const ownShard = "0";

const executionPartition = (tenantId: TenantId, executionId: string): string =>
  `TENANT#${tenantId}#EXEC#${executionId}`;

/** Tombstone: exists until the records of a deleted agent are removed, which frees its id. */
export const deletedAgentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#AGENT#${agentId}`,
});

export const skillKey = (tenantId: TenantId, skillId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SKILL#${skillId}`,
});

/** The secret that a tenant's feedback links are signed with. */
export const feedbackSecretKey = (tenantId: TenantId): Key => ({
  pk: tenantPartition(tenantId),
  sk: "FEEDBACKSECRET",
});

/** The use of a feedback link, until it expires. */
export const feedbackUseKey = (tenantId: TenantId, agentId: string, linkId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `FEEDBACK#${linkId}`,
});

/** A revision's row, for lists. */
export const revisionKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `REV#${revisionDigits(revision)}`,
});

/** A revision's content, in an item of its own that lists do not read. */
export const revisionContentKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CONTENT#${revisionDigits(revision)}`,
});

/** Partition of the records of a shard of an agent's executions. */
export const recordsPartition = (
  tenantId: TenantId,
  agentId: string,
  shard: string = ownShard,
): string =>
  shard === ownShard
    ? agentPartition(tenantId, agentId)
    : `${agentPartition(tenantId, agentId)}#EXEC#${shard}`;

/** Execution ids are version 7 UUIDs of the start time: keys sort by time and are found by id. */
export const executionKey = ({ tenantId, agentId, executionId, shard }: ExecutionPlace): Key => ({
  pk: recordsPartition(tenantId, agentId, shard),
  sk: `EXEC#${executionId}`,
});

/** Returns the execution that the key of its record names. */
export const executionOfKey = ({ pk, sk }: Key): ExecutionPlace => {
  const [, tenantId = "", , agentId = "", , shard = ownShard] = pk.split("#");
  const executionId = sk.slice("EXEC#".length);
  return { tenantId: TenantId.parse(tenantId), agentId, executionId, shard };
};

/** Numbers of shards that an agent's executions are spread over, one after the other. */
export const shardCounts: readonly number[] = [1, 4, 16];

/** Returns the shard of an execution among 1, 4 or 16: those of 4 are among those of 16. */
export const shardAmong = (executionId: string, count: number): string => {
  const digit = Number.parseInt(executionId.slice(-1), 16);
  return (digit - (digit % (shards.length / count))).toString(16);
};

/** The listing index has the records of executions that are not settled, in 16 shards by id. */
export const openIndexKey = (executionId: string): Key => ({
  pk: `OPEN#${executionId.slice(-1)}`,
  sk: `EXEC#${executionId}`,
});

/** Shards of the executions that are not settled. */
export const openShards: readonly string[] = shards.map((shard) => `OPEN#${shard}`);

const partsPartition = (tenantId: TenantId, agentId: string, shard: string): string =>
  `${agentPartition(tenantId, agentId)}#PARTS#${shard}`;

/** A value of an execution that is too large for its record. `part`: its name and a hash of it. */
export const executionPartKey = (
  tenantId: TenantId,
  agentId: string,
  executionId: string,
  part: string,
): Key => ({
  pk: partsPartition(tenantId, agentId, executionId.slice(-1)),
  sk: `EXEC#${executionId}#${part}`,
});

/** The record of an execution, and its values that are not in the record. */
export const executionItemsLists = ({
  tenantId,
  agentId,
  executionId,
  shard,
}: ExecutionPlace): ListKey[] =>
  [
    recordsPartition(tenantId, agentId, shard),
    partsPartition(tenantId, agentId, executionId.slice(-1)),
  ].map((pk) => ({ pk, prefix: `EXEC#${executionId}` }));

/** Values of an agent's executions that are not in their records, in 16 shards. */
export const executionPartsLists = (tenantId: TenantId, agentId: string): ListKey[] =>
  shards.map((shard) => ({ pk: partsPartition(tenantId, agentId, shard), prefix: "" }));

/** The input of an execution that was started before its record had it. */
export const oldInputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "INPUT",
});

/** The result of an execution that ended before its record had it. */
export const oldOutputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "OUTPUT",
});

/** Checkpoint: a finished step of an execution that runs in the background. */
export const stepKey = (tenantId: TenantId, executionId: string, stepId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `STEP#${stepId}`,
});

/** The execution of a sub-agent that a run started at a path. */
export const subExecutionKey = (tenantId: TenantId, executionId: string, path: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `CHILD#${path}`,
});

/** The lease of an execution that was started before its record had it; in 16 shards by id. */
export const oldLeaseKey = (executionId: string): Key => ({
  pk: `OPEN#${executionId.slice(-1)}`,
  sk: `EXEC#${executionId}`,
});

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

/** A counter of a day with what was moved from counters without days: apart from those that executions add to. */
export const movedUsageKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { day: string; revision: number; trigger: number; part: number },
): Key => {
  const { day, revision, trigger, part } = counter;
  return {
    pk: usagePartition(tenantId, day.slice(0, 7), part % usagePartitions),
    sk: [agentId, day.slice(8), revisionDigits(revision), trigger, `moved${part}`].join("#"),
  };
};

const usagePartitions = 4;
const usagePartition = (tenantId: TenantId, month: string, partition: number): string =>
  `TENANT#${tenantId}#USAGE#${month}#${partition}`;

/** Usage counters of a tenant in a month (`2026-11`, UTC), or of one of its agents, by agent and day. */
export const monthUsageLists = (tenantId: TenantId, month: string, agentId?: string): ListKey[] =>
  Array.from({ length: usagePartitions }, (_, partition) => ({
    pk: usagePartition(tenantId, month, partition),
    prefix: agentId === undefined ? "" : `${agentId}#`,
  }));

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

const scoreCounterPartition = (tenantId: TenantId, month: string, partition: number): string =>
  `TENANT#${tenantId}#SCORES#${month}#${partition}`;

/** Counters of scores of a tenant in a month (`2026-11`, UTC), or of one of its agents, by agent and day. */
export const monthScoreLists = (tenantId: TenantId, month: string, agentId?: string): ListKey[] =>
  Array.from({ length: usagePartitions }, (_, partition) => ({
    pk: scoreCounterPartition(tenantId, month, partition),
    prefix: agentId === undefined ? "" : `${agentId}#`,
  }));

export const agentsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "AGENT#",
});

export const revisionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "REV#",
});

/** The records of an agent's executions, spread over 1, 4 or 16 shards; the first is the agent's own partition. */
export const executionsLists = (tenantId: TenantId, agentId: string, count: number): ListKey[] =>
  shards
    .filter((shard) => shardAmong(shard, count) === shard)
    .map((shard) => ({ pk: recordsPartition(tenantId, agentId, shard), prefix: "EXEC#" }));

/** Counters that versions without counters by day wrote: `USAGE#revision#provider#model#shard`. */
export const earlierUsageList = (
  tenantId: TenantId,
  agentId: string,
  revision: number | "*",
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: revision === "*" ? "USAGE#" : `USAGE#${revisionDigits(revision)}#`,
});

export const stepsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "STEP#",
});

export const subExecutionsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "CHILD#",
});

/** Leases of executions that were started before their records had them, in 16 shards. */
export const oldLeasesLists: readonly ListKey[] = shards.map((shard) => ({
  pk: `OPEN#${shard}`,
  prefix: "EXEC#",
}));

/** All items of an agent. */
export const agentChildrenList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "",
});

/** All items of an execution. */
export const executionChildrenList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "",
});

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

export const skillsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "SKILL#",
});

/** Names of an agent's schedules; outside the agent's partition, since they outlive it until they are removed. */
export const schedulesKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SCHEDULES#${agentId}`,
});
