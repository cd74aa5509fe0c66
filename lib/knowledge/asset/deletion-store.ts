import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import { assetKey, deletedAssetKey, deletedAssetsList } from "../keys.ts";
import { EmbeddingModel } from "../vectors/embedding-model.ts";
import type { AssetItem } from "./asset-item.ts";

/** A deleted asset that is not purged yet. */
const DeletedAsset = z.object({
  assetId: z.string(),
  indexId: z.string(),
  embedding: EmbeddingModel.nullable(),
  /** Until when a synchronization may still write documents. */
  busyUntil: Timestamp.default(0),
});
export type DeletedAsset = z.output<typeof DeletedAsset>;

/** Replaces an asset by a tombstone, which its purge reads; "changed" when it is another one by now. */
export const replaceAssetByTombstone = async (
  db: Database,
  tenantId: TenantId,
  { id, indexId, embedding, sync }: AssetItem,
): Promise<"written" | "changed"> => {
  const tombstone: DeletedAsset = {
    assetId: id,
    indexId,
    embedding,
    busyUntil: sync?.worker ? sync.leaseUntil : 0,
  };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: assetKey(tenantId, id),
        ConditionExpression:
          "attribute_exists(pk) AND (indexId = :indexId OR (attribute_not_exists(indexId) AND :indexId = :none))",
        ExpressionAttributeValues: { ":indexId": indexId, ":none": "" },
      },
    },
    { Put: { Item: { ...deletedAssetKey(tenantId, id, indexId), ...tombstone } } },
  ]);
  return outcome.written ? "written" : "changed";
};

/** TENANT#t#ASSETS#DELETED / digest#…: lists the assets of an id that are deleted and not purged. */
export const listDeletedAssets = (
  db: Database,
  tenantId: TenantId,
  assetId: string,
): Promise<DeletedAsset[]> =>
  Array.fromAsync(listAll(db, DeletedAsset, deletedAssetsList(tenantId, assetId)));

/** TENANT#t#ASSETS#DELETED / digest#index: a deleted asset that is not purged. */
export const getDeletedAsset = (
  db: Database,
  tenantId: TenantId,
  { assetId, indexId }: Pick<DeletedAsset, "assetId" | "indexId">,
): Promise<DeletedAsset | undefined> =>
  getItem(db, deletedAssetKey(tenantId, assetId, indexId), DeletedAsset);

/** Deletes the tombstone of an asset that is purged. */
export const deleteTombstone = async (
  db: Database,
  tenantId: TenantId,
  { assetId, indexId }: Pick<DeletedAsset, "assetId" | "indexId">,
): Promise<void> => {
  await deleteItem(db, { Key: deletedAssetKey(tenantId, assetId, indexId) });
};
