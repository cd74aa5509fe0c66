import * as z from "zod";
import { createFileUpload } from "../../functions/files/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import { UploadAddress } from "../../lib/files/schemas.ts";
import { call } from "../harness/api.ts";
import { readExample } from "./sample-request.ts";

const Created = z.object({ id: z.string() });

/** Stores the file that a row's path names, or sends one that is to be completed, as the caller with the key. */
export const prepareFile = async (
  { slug, key }: { slug: string; key: string },
  { path }: Route,
): Promise<Record<string, string>> => {
  if (!path.includes("{file}")) return {};
  const files = `/v1/tenants/${slug}/files`;
  if (!path.endsWith(":complete")) {
    const created = await call("POST", `${files}?name=a.txt`, { key, raw: "text" });
    return { file: Created.parse(created.body).id };
  }
  const body = readExample(createFileUpload.body ?? z.unknown(), "create-file-upload body");
  const created = await call("POST", `${files}:upload`, { key, body });
  const { id, uploadUrl, headers } = UploadAddress.parse(created.body);
  await fetch(uploadUrl, { method: "PUT", headers, body: "text" });
  return { file: id };
};
