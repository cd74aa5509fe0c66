import type { Key, ListKey } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

const scorersPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#SCORERS`;

export const scorerKey = (tenantId: TenantId, scorerId: string): Key => ({
  pk: scorersPartition(tenantId),
  sk: scorerId,
});

export const scorersList = (tenantId: TenantId): ListKey => ({
  pk: scorersPartition(tenantId),
  prefix: "",
});
