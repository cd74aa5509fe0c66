import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { createAsset } from "../../lib/knowledge/asset/create-asset.ts";
import { assetDeps } from "../deps/asset-deps.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.createAsset, async ({ db, ctx, body }) =>
  toAsset(await createAsset(assetDeps(db), { ctx, body })),
);
