import { agentPartition, type Key, type ListKey, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

export const agentsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "AGENT#",
});

/** All items of an agent. */
export const agentChildrenList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "",
});

/** Tombstone: exists until the records of a deleted agent are removed, which frees its id. */
export const deletedAgentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#AGENT#${agentId}`,
});
