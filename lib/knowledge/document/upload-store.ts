import type { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import type { Database } from "../../platform/db/database.ts";
import { expectMembers, patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { deleteItem, updateItem } from "../../platform/db/write-item.ts";
import type { AssetItem } from "../asset/asset-item.ts";
import { assetKey, documentKey } from "../keys.ts";
import { type DocumentItem, type IndexKey, listContents, type Upload } from "./document-item.ts";

/** Identifies an asset among those that had the same id. */
type AssetIdentity = Pick<AssetItem, "id" | "indexId">;

const addDocuments = (
  tenantId: TenantId,
  { id, indexId }: AssetIdentity,
  added: number,
): TransactionWrite => ({
  Update: {
    Key: assetKey(tenantId, id),
    UpdateExpression: "ADD documentCount :added",
    ConditionExpression: "indexId = :indexId",
    ExpressionAttributeValues: { ":added": added, ":indexId": indexId },
  },
});

/** Counts an indexed upload on its asset, once; a no-op for one that is counted or deleted. */
export const countUploaded = async (
  db: Database,
  tenantId: TenantId,
  asset: AssetIdentity,
  { documentId, isCounted }: Pick<DocumentItem, "documentId" | "isCounted">,
): Promise<void> => {
  if (isCounted) return;
  const key = documentKey(tenantId, asset.indexId, documentId);
  await transact(db, [
    { Update: patch(key, { set: { isCounted: true }, expect: { isCounted: false } }) },
    addDocuments(tenantId, asset, 1),
  ]);
};

/**
 * Marks an uploaded document as deleted and uncounts it: nothing finds it from then on, and its contents are to be
 * removed. "changed" when it has another file, text or count by now.
 */
export const markDeleted = async (
  db: Database,
  tenantId: TenantId,
  asset: AssetIdentity,
  document: DocumentItem,
): Promise<DocumentItem | "changed"> => {
  const { documentId, isCounted, indexed, others, upload } = document;
  const set = {
    deletion: { uploadId: upload?.id ?? null },
    indexed: null,
    others: listContents(document),
    upload: null,
    // An indexing that ends later does not count it.
    isCounted: true,
  };
  const key = documentKey(tenantId, asset.indexId, documentId);
  const expect = { isCounted, indexed, others, upload };
  const outcome = await transact(db, [
    { Update: patch(key, { set, expect }) },
    ...(isCounted ? [addDocuments(tenantId, asset, -1)] : []),
  ]);
  return outcome.written ? { ...document, ...set } : "changed";
};

/** Deletes a marked document when its contents are removed; "changed" when an indexing has added others meanwhile. */
export const deleteMarked = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  { documentId, others, deletion }: DocumentItem,
): Promise<"written" | "changed"> => {
  const key = documentKey(tenantId, indexId, documentId);
  const { written } = await deleteItem(db, expectMembers(key, { others, deletion }));
  return written ? "written" : "changed";
};

/** Records the model of an asset's index before its first document; a later one is kept. */
export const recordIndexModel = async (
  db: Database,
  tenantId: TenantId,
  { id, indexId }: AssetIdentity,
  embedding: EmbeddingModel,
): Promise<void> => {
  await updateItem(db, {
    Key: assetKey(tenantId, id),
    UpdateExpression: "SET indexedWith = :embedding",
    ConditionExpression:
      "indexId = :indexId AND (attribute_not_exists(indexedWith) OR indexedWith = :null)",
    ExpressionAttributeValues: { ":embedding": embedding, ":indexId": indexId, ":null": null },
  });
};

/** Makes an asset Ready after the indexing of an upload, unless it is being synchronized. */
export const recordReady = async (
  db: Database,
  tenantId: TenantId,
  { id, indexId }: AssetIdentity,
  now: number,
): Promise<void> => {
  await updateItem(db, {
    Key: assetKey(tenantId, id),
    UpdateExpression: "SET #status = :ready, lastSyncedAt = :now, #error = :null",
    ConditionExpression: "indexId = :indexId AND #status <> :syncing",
    ExpressionAttributeNames: { "#status": "status", "#error": "error" },
    ExpressionAttributeValues: {
      ":ready": "Ready",
      ":now": now,
      ":null": null,
      ":indexId": indexId,
      ":syncing": "Syncing",
    },
  });
};

/** Sets the number of repeated readings of an upload during which the function ended. */
export const putReads = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  { documentId, upload }: Pick<DocumentItem, "documentId"> & { upload: Upload },
  reads: number,
): Promise<void> => {
  await updateItem(db, {
    Key: documentKey(tenantId, indexId, documentId),
    UpdateExpression: "SET unendedReads = :reads",
    ConditionExpression: "upload.id = :id",
    ExpressionAttributeValues: { ":reads": reads, ":id": upload.id },
  });
};
