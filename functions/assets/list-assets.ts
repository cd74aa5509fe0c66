import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { listAssets } from "../../lib/knowledge/asset/store.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAssets, async ({ db, ctx, query }) => {
  const page = await listAssets(db, ctx.tenant.id, toPageRequest(query));
  return { ...page, items: page.items.map(toAsset) };
});
