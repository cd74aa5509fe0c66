import { type Key, type ListKey, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

export const providerKey = (tenantId: TenantId, providerId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `PROVIDER#${providerId}`,
});

export const providersList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "PROVIDER#",
});
