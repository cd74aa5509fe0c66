import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { toPageRequest } from "../../lib/http/paging.ts";
import { listDeliveriesWithResults } from "../../lib/webhook/list-deliveries.ts";
import { listDeliveries } from "./routes.ts";

const deps = () => ({ db: database() });

export const handler = endpoint(listDeliveries, deps, ({ ctx, params, query }, deps) => {
  const input = { webhookId: params.webhook, page: toPageRequest(query) };
  return listDeliveriesWithResults({ ctx, input, deps });
});
