import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { replayDelivery } from "../../lib/webhook/replay-delivery.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.replayDelivery, ({ ctx, params }) => {
  const input = { webhookId: params.webhook, deliveryId: params.delivery };
  return replayDelivery({ ctx, input, deps: deps() });
});
