import { agentPartition, type Key, type ListKey } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

/** Assets have a partition of their own: an id may be as long as a sort key, 1,024 bytes. */
const assetsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#ASSETS`;

export const assetKey = (tenantId: TenantId, assetId: string): Key => ({
  pk: assetsPartition(tenantId),
  sk: assetId,
});

export const assetsList = (tenantId: TenantId): ListKey => ({
  pk: assetsPartition(tenantId),
  prefix: "",
});

/** Reference of an agent to an asset that one of its revisions names; `digest` is of the asset's id. */
export const agentAssetKey = (tenantId: TenantId, agentId: string, digest: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ASSET#${digest}`,
});
