import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { maxAttempts } from "../../platform/queue/queues.ts";
import type { Send } from "../../platform/queue/send.ts";
import { isManaged, type ManagedAsset } from "../asset/asset-item.ts";
import { getAsset } from "../asset/store.ts";
import type { extractText } from "../files/extract-text.ts";
import { fileLimits } from "../files/file-limits.ts";
import type { IndexDocumentMessage } from "../messages.ts";
import { type DocumentItem, type IndexKey, type Upload, uploadObject } from "./document-item.ts";
import { type IndexDocumentDeps, indexDocument } from "./index-document.ts";
import { requestIndexing } from "./request-indexing.ts";
import { getDocument, putFailure } from "./store.ts";
import { countUploaded, putReads, recordIndexModel, recordReady } from "./upload-store.ts";

/** Dependencies of indexing an uploaded file. */
export type IndexUploadDeps = IndexDocumentDeps & {
  readonly send: Send;
  readonly extract: typeof extractText;
};

/** Attempts at a file after which a model that fails makes its document Failed. */
const lastModelAttempt = 3;
const expand = promisify(gunzip);

type Uploaded = DocumentItem & { readonly upload: Upload };
type Attempt = { readonly attempt: number; readonly signal: AbortSignal };

/**
 * Indexes the newest uploaded file of a document. A file that cannot be read makes the document Failed with the reason,
 * as does a model that keeps failing. A no-op for a deleted document, and for one that is indexed already.
 */
export const indexUpload = async (
  deps: IndexUploadDeps,
  {
    message: { tenantId, assetId, indexId, documentId },
    attempt,
  }: { message: Omit<IndexDocumentMessage, "type">; attempt: Attempt },
): Promise<void> => {
  const place = { tenantId, indexId };
  const asset = await getAsset(deps.db, tenantId, assetId);
  if (!asset || asset.indexId !== indexId || !isManaged(asset)) return;
  const document = await getDocument(deps.db, place, documentId);
  if (!document?.upload) return;
  const uploaded = { ...document, upload: document.upload };
  const isDone = document.status === "Indexed" && document.version === document.upload.id;
  const failure = isDone ? undefined : await indexFile(deps, { asset, place }, uploaded, attempt);
  const after = await getDocument(deps.db, place, documentId);
  if (!after) return;
  if (after.upload?.id !== document.upload.id) {
    return requestIndexing(deps.send, place, { assetId, documentId });
  }
  if (failure !== undefined) return recordFailed(deps, place, after, failure);
  await countUploaded(deps.db, tenantId, asset, after);
  await recordReady(deps.db, tenantId, asset, deps.clock());
};

/** Reads and indexes a file; returns why it failed. Throws a failure that may pass. */
const indexFile = async (
  deps: IndexUploadDeps,
  { asset, place }: { asset: ManagedAsset; place: IndexKey },
  uploaded: Uploaded,
  { attempt, signal }: Attempt,
): Promise<string | undefined> => {
  const { documentId, name, link, metadata, upload, unendedReads } = uploaded;
  if (attempt >= maxAttempts && unendedReads > 0) return endedWhileReading(unendedReads);
  const bytes = await readUpload(deps, place, { documentId, upload });
  if (!bytes) return undefined;
  const extracted = await extract(deps, place, { ...uploaded, bytes }, attempt);
  if (!extracted.ok) return `The file ${extracted.reason}`;
  await recordIndexModel(deps.db, place.tenantId, asset, asset.embedding);
  const { text } = extracted;
  const document = { documentId, name, link, metadata, version: upload.id, text };
  try {
    await indexDocument(deps, { asset, place, signal, document });
    return undefined;
  } catch (error) {
    if (error instanceof UpstreamError && attempt >= lastModelAttempt) return error.message;
    throw error;
  }
};

const endedWhileReading = (reads: number): string =>
  `The file could not be read: the function ended ${reads === 1 ? "once" : `${reads} times`} while reading it.`;

/**
 * Extracts a file's text. A repeated attempt records that it starts: a file that ends the function is distinguished from
 * attempts that failed or were cut off elsewhere, which cost no write when there are none.
 */
const extract = async (
  { db, extract }: IndexUploadDeps,
  place: IndexKey,
  { bytes, unendedReads, ...document }: Uploaded & { bytes: Uint8Array },
  attempt: number,
): ReturnType<typeof extractText> => {
  const { name, upload } = document;
  const file = { name, contentType: upload.contentType, bytes };
  if (attempt === 1) return extract(place.tenantId, file);
  await putReads(db, place, document, unendedReads + 1);
  try {
    return await extract(place.tenantId, file);
  } finally {
    await putReads(db, place, document, 0);
  }
};

/** Returns a file; undefined when another has replaced it meanwhile. */
const readUpload = async (
  { db, objects }: IndexUploadDeps,
  place: IndexKey,
  { documentId, upload }: { documentId: string; upload: Upload },
): Promise<Uint8Array | undefined> => {
  try {
    const bytes = await objects.get(uploadObject(place, { documentId, uploadId: upload.id }));
    return upload.isCompressed
      ? await expand(bytes, { maxOutputLength: fileLimits.uploadedBytes })
      : bytes;
  } catch (error) {
    const now = await getDocument(db, place, documentId);
    if (now?.upload?.id !== upload.id) return undefined;
    throw error;
  }
};

const recordFailed = async (
  { db, clock }: IndexUploadDeps,
  place: IndexKey,
  document: DocumentItem,
  error: string,
): Promise<void> => {
  const outcome = await putFailure(db, place, document, { error, modifiedAt: clock() });
  if (outcome === "changed") throw new Error("the document was changed meanwhile");
};
