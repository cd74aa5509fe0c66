import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { replayDelivery } from "../../lib/webhooks/delivery/replay-delivery.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.replayDelivery, ({ ctx, params, body }) => {
  const input = { webhookId: params.webhook, deliveryId: params.delivery, body };
  return replayDelivery(deps(), { ctx, ...input });
});
