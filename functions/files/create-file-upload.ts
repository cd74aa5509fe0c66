import { createFileUpload } from "../../lib/files/create-file-upload.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { fileUploads } from "../../lib/platform/db/file-uploads.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, uploads: fileUploads() });

export const handler = endpoint(rows.createFileUpload, ({ db, ctx, body }) =>
  createFileUpload(deps(db), { ctx, body }),
);
