import type { Key, ListKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

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
