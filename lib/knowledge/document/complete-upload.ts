import type { Database } from "../../platform/db/database.ts";
import type { FileUploads } from "../../platform/db/file-uploads.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { conflict, payloadTooLarge } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { fileLimits } from "../files/file-limits.ts";
import { deriveDocumentId } from "./document-id.ts";
import { type DocumentItem, startedObject, uploadObject } from "./document-item.ts";
import { putUpload } from "./put-upload.ts";
import { requestIndexing } from "./request-indexing.ts";
import { getDocument } from "./store.ts";
import { getUploadAsset } from "./upload-asset.ts";

/** Dependencies of completing an upload. */
export type CompleteUploadDeps = {
  readonly db: Database;
  readonly objects: Pick<ObjectStore, "remove">;
  readonly uploads: Pick<FileUploads, "getSize" | "copy">;
  readonly send: Send;
};

/**
 * Makes an uploaded file a document, as `uploadDocument` does, and requests its indexing. Idempotent. Throws 404, 409
 * before the file is uploaded, and 413 for a file that is too large, which is removed.
 */
export const completeUpload = async (
  deps: CompleteUploadDeps,
  {
    ctx,
    assetId,
    uploadId,
    name,
    contentType,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant">;
    assetId: string;
    uploadId: string;
    name: string;
    contentType: string;
  },
): Promise<DocumentItem> => {
  const { db, objects, uploads, send } = deps;
  const tenantId = ctx.tenant.id;
  const { indexId } = await getUploadAsset(db, tenantId, assetId);
  const place = { tenantId, indexId };
  const documentId = deriveDocumentId(name);
  const started = startedObject(place, uploadId);
  const size = await uploads.getSize(started);
  if (size !== undefined && size > fileLimits.uploadedBytes) {
    await objects.remove([started]);
    throw payloadTooLarge(fileLimits.uploadedBytes);
  }
  const stays = uploadObject(place, { documentId, uploadId });
  if (size === undefined || !(await uploads.copy(started, stays))) {
    const completed = await getDocument(db, place, documentId);
    if (completed?.upload?.id !== uploadId) {
      throw conflict("No file was uploaded to this upload's URL, or its document was replaced.");
    }
    await requestIndexing(send, place, { assetId, documentId });
    return completed;
  }
  const upload = { id: uploadId, contentType, size, isCompressed: false };
  const document = { documentId, name };
  const stored = { place, assetId, document, upload, now: ctx.clock() };
  const item = await putUpload({ db, objects }, stored);
  await requestIndexing(send, place, { assetId, documentId });
  await objects.remove([started]);
  return item;
};
