import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { updateAsset } from "../../lib/knowledge/asset/update-asset.ts";
import { assetDeps } from "../deps/asset-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.updateAsset, async ({ db, ctx, params, body }) => {
  const input = { assetId: params.asset, body };
  return toAsset(await updateAsset(assetDeps(db), { ctx, ...input }));
});
