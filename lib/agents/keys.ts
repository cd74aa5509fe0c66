import {
  agentPartition,
  type Key,
  type ListKey,
  revisionDigits,
  shards,
  tenantPartition,
} from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

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

/** Execution ids are version 7 UUIDs of the start time: keys sort by time and are found by id. */
export const executionKey = (tenantId: TenantId, agentId: string, executionId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `EXEC#${executionId}`,
});

export const executionInputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "INPUT",
});

export const executionOutputKey = (tenantId: TenantId, executionId: string): Key => ({
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

/** Lease of an execution, until it is settled; in 16 shards by id. */
export const openExecutionKey = (executionId: string): Key => ({
  pk: `OPEN#${executionId.slice(-1)}`,
  sk: `EXEC#${executionId}`,
});

/** Usage counters of a revision, in total or per model; in shards whose sum is the usage. */
export const usageKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { revision: number; shard: number; model?: { providerId: string; modelId: string } },
): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: [
    "USAGE",
    revisionDigits(counter.revision),
    ...(counter.model
      ? [encodeURIComponent(counter.model.providerId), encodeURIComponent(counter.model.modelId)]
      : ["", ""]),
    String(counter.shard),
  ].join("#"),
});

export const agentsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "AGENT#",
});

export const revisionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "REV#",
});

export const executionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "EXEC#",
});

export const revisionUsageList = (
  tenantId: TenantId,
  agentId: string,
  revision: number,
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: `USAGE#${revisionDigits(revision)}#`,
});

export const agentUsageList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "USAGE#",
});

export const stepsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "STEP#",
});

export const subExecutionsList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "CHILD#",
});

/** Executions that are not settled, in 16 shards. */
export const openExecutionsLists: readonly ListKey[] = shards.map((shard) => ({
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
