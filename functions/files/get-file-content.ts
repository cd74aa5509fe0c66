import { Reply } from "../../lib/edge/respond.ts";
import { readFile } from "../../lib/files/read-file.ts";
import { fileObjects } from "../../lib/platform/db/file-objects.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getFileContent, async ({ db, ctx, params, query }) => {
  const { principal, tenant } = ctx;
  const read = { tenantId: tenant.id, principal, fileId: params.file, now: ctx.clock() };
  const { object, name, mediaType } = await readFile(db, read);
  const url = await fileObjects().signDownload(object, { name, mediaType });
  const headers = { "Cache-Control": "no-store" };
  if (query.redirect === "true") return new Reply("", { ...headers, Location: url });
  return new Reply(
    JSON.stringify({ url }),
    { ...headers, "Content-Type": "application/json" },
    200,
  );
});
