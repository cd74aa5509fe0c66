import { completeUpload } from "../../lib/knowledge/document/complete-upload.ts";
import { toDocument } from "../../lib/knowledge/document/schemas.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { fileUploads } from "../../lib/platform/db/file-uploads.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore(), uploads: fileUploads(), send });

export const handler = endpoint(rows.completeUpload, async ({ db, ctx, params, body }) => {
  const { name, contentType } = body;
  const place = { assetId: params.asset, uploadId: params.upload };
  const input = { ...place, name, contentType: contentType ?? "" };
  return toDocument(await completeUpload(deps(db), { ctx, ...input }));
});
