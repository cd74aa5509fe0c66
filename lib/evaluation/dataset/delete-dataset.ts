import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteEntity } from "../../platform/deletion/delete-entity.ts";
import { replaceByTombstone, requestPurge } from "../../platform/deletion/tombstone.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { DatasetItem } from "./dataset-item.ts";
import { datasetKey, deletedDatasetsList } from "./keys.ts";
import { getDataset } from "./store.ts";
import { DatasetTombstone, datasetTombstones } from "./tombstone.ts";

/**
 * Deletes a dataset immediately; a queue removes its examples soon after. Throws 404. Repeating a call that failed
 * halfway requests the purge again.
 */
export const deleteDataset = (
  { db, send }: { db: Database; send: Send },
  { tenantId, datasetId }: { tenantId: TenantId; datasetId: string },
): Promise<void> => {
  const request = ({ contentId }: Pick<DatasetItem, "contentId">) =>
    requestPurge(send, datasetTombstones, { tenantId, datasetId, contentId });
  return deleteEntity({
    read: () => getDataset(db, tenantId, datasetId),
    replace: (dataset) => replaceDataset(db, tenantId, dataset),
    requestPurge: request,
    requestLeftPurges: async () => {
      const list = deletedDatasetsList(tenantId, datasetId);
      for await (const deleted of listAll(db, DatasetTombstone, list)) await request(deleted);
    },
    missing: () => notFound("dataset", datasetId),
    conflict: () => beingChanged("dataset", datasetId),
  });
};

/** Replaces a dataset by its tombstone; "changed" when a change of its examples began. */
const replaceDataset = (
  db: Database,
  tenantId: TenantId,
  { id, contentId, write }: DatasetItem,
): Promise<"written" | "changed"> =>
  replaceByTombstone(
    db,
    datasetTombstones,
    { tenantId, datasetId: id, contentId },
    {
      tombstone: { datasetId: id, contentId, busyUntil: write?.until ?? 0 },
      writes: [
        {
          Delete: {
            Key: datasetKey(tenantId, id),
            ConditionExpression: "contentId = :contentId AND #write = :write",
            ExpressionAttributeNames: { "#write": "write" },
            ExpressionAttributeValues: { ":contentId": contentId, ":write": write },
          },
        },
      ],
    },
  );
