import { type Key, type ListKey, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

export const skillKey = (tenantId: TenantId, skillId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SKILL#${skillId}`,
});

export const skillsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "SKILL#",
});
