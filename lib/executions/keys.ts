import { agentPartition, type Key, type ListKey, shards } from "../platform/db/keys.ts";
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

const recordsPartition = (tenantId: TenantId, agentId: string, shard: string): string =>
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

/** The records of an agent's executions, spread over 1, 4 or 16 shards; the first is the agent's own partition. */
export const executionsLists = (tenantId: TenantId, agentId: string, count: number): ListKey[] =>
  shards
    .filter((shard) => shardAmong(shard, count) === shard)
    .map((shard) => ({ pk: recordsPartition(tenantId, agentId, shard), prefix: "EXEC#" }));

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

/** Values of an agent's executions that are not in their records, in 16 shards. */
export const executionPartsLists = (tenantId: TenantId, agentId: string): ListKey[] =>
  shards.map((shard) => ({ pk: partsPartition(tenantId, agentId, shard), prefix: "" }));

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

const executionPartition = (tenantId: TenantId, executionId: string): string =>
  `TENANT#${tenantId}#EXEC#${executionId}`;

/** Checkpoint: a finished step of an execution that runs in the background. */
export const stepKey = (tenantId: TenantId, executionId: string, stepId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `STEP#${stepId}`,
});

export const stepsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "STEP#",
});

/** The execution of a sub-agent that a run started at a path. */
export const subExecutionKey = (tenantId: TenantId, executionId: string, path: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `CHILD#${path}`,
});

export const subExecutionsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "CHILD#",
});

/** All items of an execution. */
export const executionChildrenList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "",
});
