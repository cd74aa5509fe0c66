import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { Timestamp } from "../../platform/http/ids.ts";
import type { DatasetItem } from "./dataset-item.ts";
import { datasetKey, deletedDatasetKey, deletedDatasetsList } from "./keys.ts";

/** A deleted dataset that is not purged yet. */
const DeletedDataset = z.object({
  datasetId: z.string(),
  contentId: z.string(),
  /** Until when a change may still write examples. */
  busyUntil: Timestamp,
});
export type DeletedDataset = z.output<typeof DeletedDataset>;

/** Replaces a dataset by a tombstone, which its purge reads; "changed" when a change of its examples began. */
export const replaceDatasetByTombstone = async (
  db: Database,
  tenantId: TenantId,
  { id, contentId, write }: DatasetItem,
): Promise<"written" | "changed"> => {
  const tombstone: DeletedDataset = { datasetId: id, contentId, busyUntil: write?.until ?? 0 };
  const outcome = await transact(db, [
    {
      Delete: {
        Key: datasetKey(tenantId, id),
        ConditionExpression: "contentId = :contentId AND #write = :write",
        ExpressionAttributeNames: { "#write": "write" },
        ExpressionAttributeValues: { ":contentId": contentId, ":write": write },
      },
    },
    { Put: { Item: { ...deletedDatasetKey(tenantId, id, contentId), ...tombstone } } },
  ]);
  return outcome.written ? "written" : "changed";
};

/** TENANT#t#DATASETS#DELETED / id#…: lists the datasets of an id that are deleted and not purged. */
export const listDeletedDatasets = (
  db: Database,
  tenantId: TenantId,
  datasetId: string,
): Promise<DeletedDataset[]> =>
  Array.fromAsync(listAll(db, DeletedDataset, deletedDatasetsList(tenantId, datasetId)));

/** TENANT#t#DATASETS#DELETED / id#content: a deleted dataset that is not purged. */
export const getDeletedDataset = (
  db: Database,
  tenantId: TenantId,
  { datasetId, contentId }: Pick<DeletedDataset, "datasetId" | "contentId">,
): Promise<DeletedDataset | undefined> =>
  getItem(db, deletedDatasetKey(tenantId, datasetId, contentId), DeletedDataset);

/** Deletes the tombstone of a dataset that is purged. */
export const deleteTombstone = async (
  db: Database,
  tenantId: TenantId,
  { datasetId, contentId }: Pick<DeletedDataset, "datasetId" | "contentId">,
): Promise<void> => {
  await deleteItem(db, { Key: deletedDatasetKey(tenantId, datasetId, contentId) });
};
