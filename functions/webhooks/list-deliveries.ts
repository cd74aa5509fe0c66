import type { Database } from "../../lib/platform/db/database.ts";
import { toPageRequest } from "../../lib/platform/http/paging.ts";
import { listDeliveriesWithResults } from "../../lib/webhooks/delivery/list-deliveries.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db });

export const handler = endpoint(rows.listDeliveries, ({ db, ctx, params, query }) => {
  const input = { webhookId: params.webhook, page: toPageRequest(query) };
  return listDeliveriesWithResults(deps(db), { ctx, ...input });
});
