import {
  agentPartition,
  type Key,
  type ListKey,
  shards,
  tenantPartition,
} from "../../platform/db/keys.ts";
import { TenantId } from "../../platform/db/tenant-id.ts";

/** Finds an execution. */
export type ExecutionKey = { tenantId: TenantId; agentId: string; executionId: string };

/** Returns the key of an execution by its record. */
export const toExecutionKey = ({
  tenantId,
  agentId,
  id,
}: {
  tenantId: string;
  agentId: string;
  id: string;
}): ExecutionKey => ({ tenantId: TenantId.parse(tenantId), agentId, executionId: id });

const recordsPartition = (tenantId: TenantId, agentId: string, partition: number): string =>
  `${agentPartition(tenantId, agentId)}#EXEC#${partition}`;

/**
 * Partitions of an agent's executions: 1,000 write units a second per partition. A list queries all
 * of them.
 */
const partitions = 4;

/**
 * Selects the partition of an execution's record by the last digit of its id. The end of the id is random, or that of a
 * digest, so that executions of the same time are in different partitions; its beginning is the time.
 */
const selectPartition = (executionId: string): number =>
  Number.parseInt(executionId.slice(-1), 16) % partitions;

/** Execution ids are version 7 UUIDs of the start time: keys sort by time and are found by id. */
export const executionKey = ({ tenantId, agentId, executionId }: ExecutionKey): Key => ({
  pk: recordsPartition(tenantId, agentId, selectPartition(executionId)),
  sk: `EXEC#${executionId}`,
});

/** Returns the execution that the key of its record names. */
export const parseExecutionKey = ({ pk, sk }: Key): ExecutionKey => {
  const [, tenantId = "", , agentId = ""] = pk.split("#");
  return { tenantId: TenantId.parse(tenantId), agentId, executionId: sk.slice("EXEC#".length) };
};

/** The records of an agent's executions: a list in four partitions. */
export const executionsLists = (tenantId: TenantId, agentId: string): ListKey[] =>
  Array.from({ length: partitions }, (_, partition) => ({
    pk: recordsPartition(tenantId, agentId, partition),
    prefix: "EXEC#",
  }));

/** Partitions of a tenant's executions in the index of records: 1,000 starts a second per partition. */
const indexPartitions = 8;

const indexPartition = (tenantId: TenantId, partition: number): string =>
  `${tenantPartition(tenantId)}#EXECUTIONS#${partition}`;

/** Returns the partition of an execution in the index of records, by the last digit of its id. Never changes. */
export const recordsIndexPartition = ({
  tenantId,
  executionId,
}: Pick<ExecutionKey, "tenantId" | "executionId">): string =>
  indexPartition(tenantId, Number.parseInt(executionId.slice(-1), 16) % indexPartitions);

/** The executions of all agents of a tenant: a list in eight partitions of the index of records. */
export const tenantExecutionsLists = (tenantId: TenantId): ListKey[] =>
  Array.from({ length: indexPartitions }, (_, partition) => ({
    pk: indexPartition(tenantId, partition),
    prefix: "EXEC#",
  }));

/** The listing index has the records of executions that are not settled, in 16 shards by id. */
export const openIndexKey = (executionId: string): Key => ({
  pk: `OPEN#${executionId.slice(-1)}`,
  sk: `EXEC#${executionId}`,
});

/** The sort key of `queuedBatchKey`. */
export const batchSortKey = "BATCH";

/**
 * Executions that were queued together. Its entry in the index of open executions stands for theirs. Ids are version 7 UUIDs
 * of the time.
 */
export const queuedBatchKey = (tenantId: TenantId, batchId: string): Key => ({
  pk: `${tenantPartition(tenantId)}#BATCH#${batchId}`,
  sk: batchSortKey,
});

/** Later than any time, in Unix milliseconds. */
const endOfTime = 9_999_999_999_999;
const overduePrefix = "DUE#";

/**
 * Waiting executions are in the same partitions, latest first and before the others: those that are overdue at a time are
 * next to those that are not settled.
 */
export const waitingIndexKey = (executionId: string, dueAt: number): Key => ({
  pk: openIndexKey(executionId).pk,
  sk: toOverdueKey(dueAt),
});

const toOverdueKey = (dueAt: number): string =>
  overduePrefix + String(endOfTime - dueAt).padStart(13, "0");

/** Returns the time at which a waiting execution is overdue, by its key in the index; undefined for another execution. */
export const parseDueAt = (sk: unknown): number | undefined =>
  typeof sk === "string" && sk.startsWith(overduePrefix)
    ? endOfTime - Number(sk.slice(overduePrefix.length))
    : undefined;

/** The keys of executions in the index that are not settled, or wait and are overdue. */
export const selectRecoverable = (now: number): { from: string; to: string } => ({
  from: toOverdueKey(now),
  to: "EXEC#~",
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
export const executionItemsLists = ({ tenantId, agentId, executionId }: ExecutionKey): ListKey[] =>
  [
    recordsPartition(tenantId, agentId, selectPartition(executionId)),
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

/** A wait that a run of an execution opened at a path. */
export const waitKey = (tenantId: TenantId, executionId: string, path: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `WAIT#${path}`,
});

export const waitsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "WAIT#",
});

/** The answers to the waits of an execution. */
export const answersList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "ANSWER#",
});

/** The answer to a wait, which may come before the run opens it. */
export const answerKey = (tenantId: TenantId, executionId: string, path: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: `ANSWER#${path}`,
});

/**
 * A wait for an event of a webhook, apart from what a dispatch reads of the webhook. It is registered as long as the wait is
 * open.
 */
export const eventWaitKey = (
  tenantId: TenantId,
  webhookId: string,
  wait: { executionId: string; path: string },
): Key => ({
  pk: eventWaitsList(tenantId, webhookId).pk,
  sk: `EXEC#${wait.executionId}#${wait.path}`,
});

/** The waits for events of a webhook. */
export const eventWaitsList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: `TENANT#${tenantId}#WEBHOOK#${webhookId}#WAITS`,
  prefix: "EXEC#",
});

/** A tenant's approval. Ids are version 7 UUIDs: keys sort by time. */
export const approvalKey = (tenantId: TenantId, approvalId: string): Key => ({
  pk: `TENANT#${tenantId}#APPROVALS`,
  sk: `APPROVAL#${approvalId}`,
});

/** A tenant's approvals, those that are decided, too. */
export const approvalsList = (tenantId: TenantId): ListKey => ({
  pk: `TENANT#${tenantId}#APPROVALS`,
  prefix: "APPROVAL#",
});

/** The listing index has a tenant's pending approvals. */
export const pendingApprovalsList = (tenantId: TenantId): ListKey => ({
  pk: `TENANT#${tenantId}#APPROVALS#PENDING`,
  prefix: "APPROVAL#",
});

/** All items of an execution. */
export const executionChildrenList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "",
});
