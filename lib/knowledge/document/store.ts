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
import { DocumentItem, type IndexPlace } from "./document-item.ts";

/** TENANT#t#INDEX#i / DOC#…: yields all documents, page by page. */
export const listAllDocuments = (
  db: Database,
  tenantId: TenantId,
  indexId: string,
): AsyncIterable<DocumentItem> => listAll(db, DocumentItem, documentsList(tenantId, indexId));

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

/** TENANT#t#INDEX#i / DOC#…: lists documents by id. */
export const listDocuments = (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  page: PageRequest,
): Promise<Page<DocumentItem>> =>
  listPage(db, DocumentItem, { list: documentsList(tenantId, indexId) }, page);

/** Deletes documents; one that does not exist is no error. */
export const removeDocuments = (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  documents: readonly Pick<DocumentItem, "documentId">[],
): Promise<void> =>
  deleteTogether(
    db,
    documents.map(({ documentId }) => documentKey(tenantId, indexId, documentId)),
  );

/** TENANT#t#INDEX#i / DOC#d: returns a document. */
export const getDocument = (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  documentId: string,
): Promise<DocumentItem | undefined> =>
  getItem(db, documentKey(tenantId, indexId, documentId), DocumentItem);

/** Writes a new document; "changed" when it exists. */
export const putNewDocument = async (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  given: z.input<typeof DocumentItem>,
): Promise<DocumentItem | "changed"> => {
  const item = DocumentItem.parse(given);
  const key = documentKey(tenantId, indexId, item.documentId);
  const { written } = await putItem(db, { Item: { ...listed(key), ...item }, ...ifNew });
  return written ? item : "changed";
};

/** Changes members of a document; "changed" when it is gone or its contents are others by now. */
export const changeDocument = async (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  { documentId, indexed, others }: Pick<DocumentItem, "documentId" | "indexed" | "others">,
  set: Partial<DocumentItem>,
): Promise<DocumentItem | "changed"> =>
  (await patchItem(db, documentKey(tenantId, indexId, documentId), DocumentItem, {
    set,
    expect: { indexed, others },
  })) ?? "changed";

/** Marks a document as seen by a synchronization; one that does not exist is no error. */
export const markSeen = async (
  db: Database,
  { tenantId, indexId }: IndexPlace,
  documentId: string,
  syncId: string,
): Promise<void> => {
  const key = documentKey(tenantId, indexId, documentId);
  await patchItem(db, key, DocumentItem, { set: { seenIn: syncId } });
};
