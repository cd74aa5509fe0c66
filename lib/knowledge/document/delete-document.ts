import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { VectorStore } from "../index/vector-store.ts";
import { listContents, uploadObject } from "./document-item.ts";
import { removeContents } from "./remove-contents.ts";
import { getDocument } from "./store.ts";
import { getUploadAsset } from "./upload-asset.ts";
import { deleteUploaded } from "./upload-store.ts";

/**
 * Deletes an uploaded document: first what searches find, the item last. Throws 404, and 409 for an
 * asset with documents from a source.
 */
export const deleteDocument = async (
  deps: { db: Database; objects: Pick<ObjectStore, "remove">; vectors: VectorStore },
  { tenantId, assetId, documentId }: { tenantId: TenantId; assetId: string; documentId: string },
): Promise<void> => {
  const asset = await getUploadAsset(deps.db, tenantId, assetId);
  const place = { tenantId, indexId: asset.indexId };
  await retryOnConflict(
    {
      attempts: 8,
      maxPauseMs: 500,
      error: () => beingChanged("document", documentId),
    },
    async () => {
      const document = await getDocument(deps.db, place, documentId);
      if (!document) throw notFound("document", documentId);
      await removeContents(deps, place, documentId, listContents(document));
      if (document.upload) {
        const uploadId = document.upload.id;
        await deps.objects.remove([uploadObject(place, { documentId, uploadId })]);
      }
      return deleteUploaded(deps.db, tenantId, asset, document);
    },
  );
};
