import { endpoint } from "../../lib/edge/endpoint.ts";
import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { getAsset } from "../../lib/knowledge/asset/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getAsset, async ({ ctx, params }) => {
  const asset = await getAsset(database(), ctx.tenant.id, params.asset);
  if (!asset) throw notFound("asset", params.asset);
  return toAsset(asset);
});
