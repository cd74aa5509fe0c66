import { deleteFile } from "../../lib/files/delete-file.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.deleteFile, async ({ db, ctx, params }) => {
  const { principal, tenant } = ctx;
  const deletion = { tenantId: tenant.id, principal, fileId: params.file, now: ctx.clock() };
  await deleteFile(deps(db), deletion);
  return undefined;
});
