import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { deriveDocumentId } from "./document-id.ts";
import { type DocumentItem, uploadObject } from "./document-item.ts";
import { putUpload } from "./put-upload.ts";
import { requestIndexing } from "./request-indexing.ts";
import { getUploadAsset } from "./upload-asset.ts";

/** Dependencies of uploading a document. */
export type UploadDeps = {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly send: Send;
};

const compress = promisify(gzip);

/**
 * Stores an uploaded file and requests its indexing; a file of the same name is replaced, and found until the new one is
 * indexed. Throws 404, and 409 for an asset that does not accept uploads.
 */
export const uploadDocument = async (
  { db, objects, send }: UploadDeps,
  {
    ctx,
    assetId,
    name,
    contentType,
    bytes,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
    assetId: string;
    name: string;
    contentType: string;
    bytes: Uint8Array;
  },
): Promise<DocumentItem> => {
  const tenantId = ctx.tenant.id;
  const { indexId } = await getUploadAsset(db, tenantId, assetId);
  const place = { tenantId, indexId };
  const documentId = deriveDocumentId(name);
  const id = newUuid(ctx);
  const size = bytes.byteLength;
  await objects.put(uploadObject(place, { documentId, uploadId: id }), await compress(bytes));
  const upload = { id, contentType, size, isCompressed: true };
  const document = { documentId, name };
  const stored = { place, assetId, document, upload, now: ctx.clock() };
  const item = await putUpload({ db, objects }, stored);
  await requestIndexing(send, place, { assetId, documentId });
  return item;
};
