import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { createSubscription } from "../../lib/webhooks/webhook/create-subscription.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.createSubscription, ({ ctx, params, body }) =>
  createSubscription(deps(), { ctx, webhookId: params.webhook, body }),
);
