import * as z from "zod";
import { createAsset } from "../../functions/assets/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import { FileUpload } from "../../lib/knowledge/document/schemas.ts";
import type { newOrganization } from "../harness/api.ts";
import { readExample } from "./sample-request.ts";

const Created = z.object({ id: z.string() });

/** Creates the asset of the sample requests, and a document or an upload where a row's path names one. */
export const prepareAsset = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  { path }: Route,
): Promise<Record<string, string>> => {
  if (!path.includes("{asset}")) return {};
  const body = readExample(createAsset.body ?? z.unknown(), "create-asset body");
  const { id: asset } = Created.parse((await own.send("POST", "/assets", body)).body);
  if (path.includes("{upload}")) {
    const { id, uploadUrl, headers } = FileUpload.parse(
      (await own.send("POST", `/assets/${asset}/uploads`, { size: 4 })).body,
    );
    await fetch(uploadUrl ?? "", { method: "PUT", headers, body: "text" });
    return { asset, upload: id };
  }
  if (!path.includes("{document}")) return { asset };
  const uploaded = await own.send("POST", `/assets/${asset}/documents?name=a.txt`, "text");
  return { asset, document: Created.parse(uploaded.body).id };
};
