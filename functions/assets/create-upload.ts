import { createUpload } from "../../lib/knowledge/document/create-upload.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { fileUploads } from "../../lib/platform/db/file-uploads.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, uploads: fileUploads() });

export const handler = endpoint(rows.createUpload, ({ db, ctx, params, body }) =>
  createUpload(deps(db), { ctx, assetId: params.asset, size: body.size }),
);
