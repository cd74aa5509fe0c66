import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import { getAsset } from "../asset/store.ts";
import { type DocumentItem, type IndexKey, type Upload, uploadObject } from "./document-item.ts";
import { getDocument, putNewDocument, putNewUpload, removeDocuments } from "./store.ts";

/** A file that is stored under the name of its upload, and its document. */
export type StoredUpload = {
  readonly place: IndexKey;
  readonly assetId: string;
  readonly document: Pick<DocumentItem, "documentId" | "name">;
  readonly upload: Upload;
  readonly now: number;
};

/**
 * Makes a stored file its document's newest, and removes the one before. Throws 404, and leaves nothing, when the asset
 * was deleted meanwhile.
 */
export const putUpload = async (
  { db, objects }: { db: Database; objects: Pick<ObjectStore, "remove"> },
  stored: StoredUpload,
): Promise<DocumentItem> => {
  const { place, assetId, document, upload } = stored;
  const { documentId } = document;
  const { item, replaced } = await putItem(db, stored);
  const toUploadObject = ({ id: uploadId }: Upload) =>
    uploadObject(place, { documentId, uploadId });
  const asset = await getAsset(db, place.tenantId, assetId);
  if (asset?.indexId !== place.indexId) {
    await objects.remove([toUploadObject(upload)]);
    await removeDocuments(db, place, [document]);
    throw notFound("asset", assetId);
  }
  if (replaced && replaced.id !== upload.id) await objects.remove([toUploadObject(replaced)]);
  return item;
};

const putItem = (
  db: Database,
  { place, document: { documentId, name }, upload, now }: StoredUpload,
): Promise<{ item: DocumentItem; replaced: Upload | null }> =>
  retryOnConflict(
    {
      attempts: 8,
      maxPauseMs: 500,
      error: () => beingChanged("document", name),
    },
    async () => {
      const before = await getDocument(db, place, documentId);
      const item = before
        ? await putNewUpload(db, place, before, { upload, modifiedAt: now })
        : await putNewDocument(db, place, {
            documentId,
            name,
            link: null,
            metadata: {},
            version: null,
            status: "Pending",
            error: null,
            indexed: null,
            others: [],
            seenIn: "",
            upload,
            isCounted: false,
            createdAt: now,
            modifiedAt: now,
          });
      return item === "changed" ? item : { item, replaced: before?.upload ?? null };
    },
  );
