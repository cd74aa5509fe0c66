import type { Database } from "../../platform/db/database.ts";
import type { SourceDocument } from "../../vendors/source.ts";
import type { IndexKey } from "./document-item.ts";
import { listAllDocuments } from "./store.ts";

/**
 * Yields an asset's documents with the counts of their indexed texts, page by page; those of a document that is being
 * indexed for the first time as far as they are known.
 */
export async function* indexedDocuments(
  db: Database,
  { tenantId, indexId }: IndexKey,
): AsyncGenerator<SourceDocument> {
  for await (const document of listAllDocuments(db, tenantId, indexId)) {
    const { documentId, name, indexed, others } = document;
    const content = indexed ?? others.at(-1);
    const counts = { tokens: content?.tokens ?? 0, chunks: content?.chunkCount ?? 0 };
    yield { fileName: name, id: documentId, text: [], counts };
  }
}
