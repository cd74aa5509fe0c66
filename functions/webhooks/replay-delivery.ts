import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { replayDelivery } from "../../lib/webhooks/delivery/replay-delivery.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.replayDelivery, ({ db, ctx, params, body }) => {
  const input = { webhookId: params.webhook, deliveryId: params.delivery, body };
  return replayDelivery(deps(db), { ctx, ...input });
});
