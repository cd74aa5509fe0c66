import { endpoint } from "../../lib/edge/endpoint.ts";
import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { listAssets } from "../../lib/knowledge/asset/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAssets, async ({ ctx, query }) => {
  const page = await listAssets(database(), ctx.tenant.id, toPageRequest(query));
  return { ...page, items: page.items.map(toAsset) };
});
