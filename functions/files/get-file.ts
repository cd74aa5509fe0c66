import { toStoredFile } from "../../lib/files/file-item.ts";
import { readFile } from "../../lib/files/read-file.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getFile, async ({ db, ctx, params }) => {
  const { principal, tenant } = ctx;
  const read = { tenantId: tenant.id, principal, fileId: params.file, now: ctx.clock() };
  return toStoredFile(await readFile(db, read));
});
