import { agentPartition, type Key, type ListKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** `userId` is the `sub` of the user's tokens. */
export const collaboratorKey = (tenantId: TenantId, agentId: string, userId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `COLLAB#${userId}`,
});

export const collaboratorsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "COLLAB#",
});
