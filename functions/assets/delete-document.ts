import { deleteDocument } from "../../lib/knowledge/document/delete-document.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), vectors: vectorStore(), send });

export const handler = endpoint(rows.deleteDocument, async ({ db, ctx, params }) => {
  const { asset: assetId, document: documentId } = params;
  await deleteDocument(deps(db), { tenantId: ctx.tenant.id, assetId, documentId });
  return undefined;
});
