import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteDocument } from "../../lib/knowledge/document/delete-document.ts";
import { vectorStore } from "../../lib/knowledge/vectors/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore(), vectors: vectorStore() });

export const handler = endpoint(rows.deleteDocument, async ({ ctx, params }) => {
  const { asset: assetId, document: documentId } = params;
  await deleteDocument(deps(), { tenantId: ctx.tenant.id, assetId, documentId });
  return undefined;
});
