import { completeFileUpload } from "../../lib/files/complete-file-upload.ts";
import { toStoredFile } from "../../lib/files/file-item.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { fileUploads } from "../../lib/platform/db/file-uploads.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({
  db,
  objects: objectStore(),
  uploads: fileUploads(),
  files: fileObjects(),
});

export const handler = endpoint(rows.completeFileUpload, async ({ db, ctx, params }) =>
  toStoredFile(await completeFileUpload(deps(db), { ctx, fileId: params.file })),
);
