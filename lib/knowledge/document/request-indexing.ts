import type { Send } from "../../platform/queue/send.ts";
import type { IndexDocumentMessage } from "../messages.ts";
import type { IndexKey } from "./document-item.ts";

/** Requests the indexing of a document's newest uploaded file. */
export const requestIndexing = (
  send: Send,
  { tenantId, indexId }: IndexKey,
  { assetId, documentId }: { assetId: string; documentId: string },
): Promise<void> => {
  const message: IndexDocumentMessage = {
    type: "index-document",
    tenantId,
    assetId,
    indexId,
    documentId,
  };
  return send("documents", tenantId, message);
};
