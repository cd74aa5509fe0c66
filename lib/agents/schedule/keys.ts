import { type Key, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** Names of an agent's schedules; outside the agent's partition, since they outlive it until they are removed. */
export const schedulesKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SCHEDULES#${agentId}`,
});
