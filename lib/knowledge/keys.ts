import { createHash } from "node:crypto";
import { agentPartition, type Key, type ListKey, shards } from "../platform/db/keys.ts";
import type { ListRequest } from "../platform/db/list-request.ts";
import { tableAttributes } from "../platform/db/table.ts";
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

/** Partition of a tenant's deleted assets that are not purged yet. */
const deletedAssetsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#ASSETS#DELETED`;

const deletedPrefix = (assetId: string): string =>
  `${createHash("sha256").update(assetId).digest("base64url")}#`;

export const deletedAssetKey = (tenantId: TenantId, assetId: string, indexId: string): Key => ({
  pk: deletedAssetsPartition(tenantId),
  sk: `${deletedPrefix(assetId)}${indexId}`,
});

export const deletedAssetsList = (tenantId: TenantId, assetId: string): ListKey => ({
  pk: deletedAssetsPartition(tenantId),
  prefix: deletedPrefix(assetId),
});

const documentsPartition = (tenantId: TenantId, indexId: string): string =>
  `TENANT#${tenantId}#INDEX#${indexId}`;

export const documentKey = (tenantId: TenantId, indexId: string, documentId: string): Key => ({
  pk: documentsPartition(tenantId, indexId),
  sk: `DOC#${documentId}`,
});

export const documentsList = (tenantId: TenantId, indexId: string): ListKey => ({
  pk: documentsPartition(tenantId, indexId),
  prefix: "DOC#",
});

/** Reference of an agent to an asset that one of its revisions names; `digest` is of the asset's id. */
export const agentAssetKey = (tenantId: TenantId, agentId: string, digest: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `ASSET#${digest}`,
});

export const dueSyncKey = (tenantId: TenantId, indexId: string): Key => ({
  pk: documentsPartition(tenantId, indexId),
  sk: "DUE",
});

/** Key and index attributes of an asset that is due at a time, Unix milliseconds. */
export const inDueSyncs = (
  tenantId: TenantId,
  indexId: string,
  at: number,
): Key & Record<string, string> => ({
  ...dueSyncKey(tenantId, indexId),
  [tableAttributes.indexPartitionKey]: `DUE-SYNCS#${indexId.slice(-1)}`,
  [tableAttributes.indexSortKey]: `${new Date(at).toISOString()}#${tenantId}#${indexId}`,
});

/** Assets that are due until a time, in 16 shards of the index. */
export const dueSyncLists = (until: number): readonly ListRequest[] =>
  shards.map((shard) => ({
    list: { pk: `DUE-SYNCS#${shard}`, prefix: "" },
    between: { from: "0", to: `${new Date(until).toISOString()}#~` },
  }));
