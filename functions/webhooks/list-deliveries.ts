import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listDeliveriesWithResults } from "../../lib/webhook/list-deliveries.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(rows.listDeliveries, ({ ctx, params, query }) => {
  const input = { webhookId: params.webhook, page: toPageRequest(query) };
  return listDeliveriesWithResults({ ctx, input, deps: deps() });
});
