import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { replayDelivery as replay } from "../../lib/webhook/replay-delivery.ts";
import { replayDelivery } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(replayDelivery, deps, ({ ctx, params }, deps) => {
  const input = { webhookId: params.webhook, deliveryId: params.delivery };
  return replay({ ctx, input, deps });
});
