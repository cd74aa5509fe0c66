import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import { conflict } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { documentIdOf } from "./document-id.ts";
import { type DocumentItem, type IndexPlace, type Upload, uploadObject } from "./document-item.ts";
import { requestIndexing } from "./request-indexing.ts";
import { changeDocument, getDocument, putNewDocument } from "./store.ts";
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
 * indexed. Throws 404, and 409 for an asset that takes no uploads.
 */
export const uploadDocument = async ({
  ctx,
  input: { assetId, name, contentType, bytes },
  deps: { db, objects, send },
}: {
  ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant">;
  input: { assetId: string; name: string; contentType: string; bytes: Uint8Array };
  deps: UploadDeps;
}): Promise<DocumentItem> => {
  const tenantId = ctx.tenant.id;
  const { indexId } = await getUploadAsset(db, tenantId, assetId);
  const place = { tenantId, indexId };
  const documentId = documentIdOf(name);
  const id = newUuid(ctx);
  const size = bytes.byteLength;
  await objects.put(uploadObject(place, { documentId, uploadId: id }), await compress(bytes));
  const { item, replaced } = await putUpload(db, place, {
    document: { documentId, name },
    upload: { id, contentType, size, isCompressed: true },
    now: ctx.clock(),
  });
  await requestIndexing(send, place, { assetId, documentId });
  if (replaced) await objects.remove([uploadObject(place, { documentId, uploadId: replaced.id })]);
  return item;
};

/** Makes a file the document's newest; returns the one that it replaces. */
const putUpload = (
  db: Database,
  place: IndexPlace,
  {
    document: { documentId, name },
    upload,
    now,
  }: { document: Pick<DocumentItem, "documentId" | "name">; upload: Upload; now: number },
): Promise<{ item: DocumentItem; replaced: Upload | null }> =>
  retryOnConflict(
    {
      attempts: 8,
      longestPauseMs: 500,
      error: () => conflict(`The document "${name}" is being changed by others. Try again.`),
    },
    async () => {
      const before = await getDocument(db, place, documentId);
      const changes = { upload, status: "Pending" as const, error: null, modifiedAt: now };
      const item = before
        ? await changeDocument(db, place, before, changes)
        : await putNewDocument(db, place, {
            documentId,
            name,
            link: null,
            metadata: {},
            version: null,
            indexed: null,
            others: [],
            seenIn: "",
            isCounted: false,
            createdAt: now,
            ...changes,
          });
      return item === "changed" ? item : { item, replaced: before?.upload ?? null };
    },
  );
