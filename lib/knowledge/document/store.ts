import type { Database } from "../../platform/db/database.ts";
import { deleteTogether } from "../../platform/db/delete-together.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { documentKey, documentsList } from "../keys.ts";
import { DocumentItem, type IndexPlace } from "./document-item.ts";

/** TENANT#t#INDEX#i / DOC#…: yields all documents, page by page. */
export const listAllDocuments = (
  db: Database,
  tenantId: TenantId,
  indexId: string,
): AsyncIterable<DocumentItem> => listAll(db, DocumentItem, documentsList(tenantId, indexId));

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
