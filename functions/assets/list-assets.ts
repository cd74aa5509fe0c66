import { listAssets } from "../../lib/asset/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listAssets, ({ ctx, query }) =>
  listAssets(database(), ctx.tenant.id, toPageRequest(query)),
);
