import { listAssets as list } from "../../lib/asset/store.ts";
import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listAssets } from "./routes.ts";

export const handler = endpoint(listAssets, database, ({ ctx, query }, db) =>
  list(db, ctx.tenant.id, toPageRequest(query)),
);
