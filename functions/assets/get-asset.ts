import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { getAsset } from "../../lib/knowledge/asset/store.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getAsset, async ({ db, ctx, params }) => {
  const asset = await getAsset(db, ctx.tenant.id, params.asset);
  if (!asset) throw notFound("asset", params.asset);
  return toAsset(asset);
});
