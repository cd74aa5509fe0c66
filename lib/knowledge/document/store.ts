import type * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import { listed } from "../../platform/db/keys.ts";
import { listAll, listPage } from "../../platform/db/list-page.ts";
import { patchItem } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem } from "../../platform/db/write-item.ts";
import type { Page, PageRequest } from "../../platform/http/paging.ts";
import { documentKey, documentsList } from "../keys.ts";
import { DocumentItem, type IndexKey } from "./document-item.ts";

/** TENANT#t#INDEX#i / DOC#…: yields all documents and those that are being removed, page by page. */
export const listStoredDocuments = (
  db: Database,
  tenantId: TenantId,
  indexId: string,
): AsyncIterable<DocumentItem> => listAll(db, DocumentItem, documentsList(tenantId, indexId));

/** TENANT#t#INDEX#i / DOC#…: yields all documents, page by page. */
export async function* listAllDocuments(
  db: Database,
  tenantId: TenantId,
  indexId: string,
): AsyncGenerator<DocumentItem> {
  for await (const document of listStoredDocuments(db, tenantId, indexId)) {
    if (document.deletion === null) yield document;
  }
}

/** TENANT#t#INDEX#i / DOC#id: returns documents in the order of their places; undefined for one that does not exist. */
export const getDocuments = (
  db: Database,
  tenantId: TenantId,
  places: readonly { indexId: string; documentId: string }[],
): Promise<(DocumentItem | undefined)[]> =>
  getItems(
    db,
    places.map(({ indexId, documentId }) => documentKey(tenantId, indexId, documentId)),
    DocumentItem,
  );

/** TENANT#t#INDEX#i / DOC#…: lists documents by id; a page has fewer than its size when some are being removed. */
export const listDocuments = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  request: PageRequest,
): Promise<Page<DocumentItem>> => {
  const list = documentsList(tenantId, indexId);
  const page = await listPage(db, DocumentItem, { list }, request);
  return { ...page, items: page.items.filter(({ deletion }) => deletion === null) };
};

/** Deletes documents; ignores those that do not exist. */
export const removeDocuments = (
  db: Database,
  { tenantId, indexId }: IndexKey,
  documents: readonly Pick<DocumentItem, "documentId">[],
): Promise<void> =>
  deleteTogether(
    db,
    documents.map(({ documentId }) => documentKey(tenantId, indexId, documentId)),
  );

/** TENANT#t#INDEX#i / DOC#d: returns a document, also while it is being removed. */
export const getStoredDocument = (
  db: Database,
  { tenantId, indexId }: IndexKey,
  documentId: string,
): Promise<DocumentItem | undefined> =>
  getItem(db, documentKey(tenantId, indexId, documentId), DocumentItem);

/** TENANT#t#INDEX#i / DOC#d: returns a document. */
export const getDocument = async (
  db: Database,
  place: IndexKey,
  documentId: string,
): Promise<DocumentItem | undefined> => {
  const document = await getStoredDocument(db, place, documentId);
  return document?.deletion ? undefined : document;
};

/** Writes a new document; "changed" when it exists, or is being removed. */
export const putNewDocument = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  given: z.input<typeof DocumentItem>,
): Promise<DocumentItem | "changed"> => {
  const item = DocumentItem.parse(given);
  const key = documentKey(tenantId, indexId, item.documentId);
  const { written } = await putItem(db, { Item: { ...listed(key), ...item }, ...ifNew });
  return written ? item : "changed";
};

/** A document as it was read. Its changes return "changed" when it is gone or its contents are others by now. */
type ReadDocument = Pick<DocumentItem, "documentId" | "indexed" | "others">;

/** A source's description of a document. */
type Description = Pick<DocumentItem, "name" | "link" | "metadata" | "version">;

/** Replaces the contents that a document may have in addition to its indexed one. */
export const changeOthers = (
  db: Database,
  place: IndexKey,
  before: ReadDocument,
  others: DocumentItem["others"],
): Promise<DocumentItem | "changed"> => change(db, place, before, { others });

/** Makes a content the one that searches find. */
export const putIndexed = (
  db: Database,
  place: IndexKey,
  before: ReadDocument,
  indexed: Description & Pick<DocumentItem, "indexed" | "others" | "seenIn" | "modifiedAt">,
): Promise<DocumentItem | "changed"> =>
  change(db, place, before, { ...indexed, status: "Indexed", error: null });

/** Records that the source has another version of a document with the indexed content. */
export const putUnchanged = (
  db: Database,
  place: IndexKey,
  before: ReadDocument,
  { version, seenIn }: Pick<DocumentItem, "version" | "seenIn">,
): Promise<DocumentItem | "changed"> =>
  change(db, place, before, { version, seenIn, status: "Indexed", error: null });

/** Records why a document could not be indexed, with its source's description, if it has a source. */
export const putFailure = (
  db: Database,
  place: IndexKey,
  before: ReadDocument,
  failure: { error: string; modifiedAt: number } & Partial<
    Description & Pick<DocumentItem, "seenIn">
  >,
): Promise<DocumentItem | "changed"> => change(db, place, before, { ...failure, status: "Failed" });

/** Replaces the uploaded file of a document, which is to be indexed. Sets its id again, for audit records. */
export const putNewUpload = (
  db: Database,
  place: IndexKey,
  before: ReadDocument,
  { upload, modifiedAt }: Pick<DocumentItem, "upload" | "modifiedAt">,
): Promise<DocumentItem | "changed"> =>
  change(db, place, before, {
    documentId: before.documentId,
    upload,
    modifiedAt,
    status: "Pending",
    error: null,
    unendedReads: 0,
  });

const change = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  { documentId, indexed, others }: ReadDocument,
  set: Partial<DocumentItem>,
): Promise<DocumentItem | "changed"> =>
  (await patchItem(db, documentKey(tenantId, indexId, documentId), DocumentItem, {
    set,
    expect: { indexed, others },
  })) ?? "changed";

/** Marks a document as seen by a synchronization; does nothing if it does not exist. */
export const markSeen = async (
  db: Database,
  { tenantId, indexId }: IndexKey,
  documentId: string,
  syncId: string,
): Promise<void> => {
  const key = documentKey(tenantId, indexId, documentId);
  await patchItem(db, key, DocumentItem, { set: { seenIn: syncId } });
};
