import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import { replaceByTombstone, requestPurge } from "../../platform/deletion/tombstone.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { assetKey, deletedAssetsList } from "../keys.ts";
import type { AssetItem } from "./asset-item.ts";
import { getAsset } from "./store.ts";
import { AssetTombstone, assetTombstones } from "./tombstone.ts";

/**
 * Deletes an asset immediately; a queue removes its documents, index and subscriptions soon after. Throws 404.
 * Repeating a call that failed halfway requests the purge again.
 */
export const deleteAsset = (
  { db, send }: { db: Database; send: Send },
  { tenantId, assetId }: { tenantId: TenantId; assetId: string },
): Promise<void> => {
  const request = ({ indexId }: Pick<AssetItem, "indexId">) =>
    requestPurge(send, assetTombstones, { tenantId, assetId, indexId });
  return deleteEntity({
    read: () => getAsset(db, tenantId, assetId),
    replace: (asset) => replaceAsset(db, tenantId, asset),
    requestPurge: request,
    requestLeftPurges: async () => {
      const list = deletedAssetsList(tenantId, assetId);
      for await (const deleted of listAll(db, AssetTombstone, list)) await request(deleted);
    },
    missing: () => notFound("asset", assetId),
    conflict: () => beingChanged("asset", assetId),
  });
};

/** Replaces an asset by its tombstone; "changed" when it is another one by now. */
const replaceAsset = (
  db: Database,
  tenantId: TenantId,
  { id, indexId, embedding, sync }: AssetItem,
): Promise<"written" | "changed"> => {
  const busyUntil = sync?.worker ? sync.leaseUntil : 0;
  return replaceByTombstone(
    db,
    assetTombstones,
    { tenantId, assetId: id, indexId },
    {
      tombstone: { assetId: id, indexId, embedding, busyUntil },
      writes: [
        {
          Delete: {
            Key: assetKey(tenantId, id),
            ConditionExpression:
              "attribute_exists(pk) AND (indexId = :indexId OR (attribute_not_exists(indexId) AND :indexId = :none))",
            ExpressionAttributeValues: { ":indexId": indexId, ":none": "" },
          },
        },
      ],
    },
  );
};
