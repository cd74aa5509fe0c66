import { endpoint } from "../../lib/edge/endpoint.ts";
import { listAssets } from "../../lib/knowledge/asset/store.ts";
import { database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAssets, ({ ctx, query }) =>
  listAssets(database(), ctx.tenant.id, toPageRequest(query)),
);
