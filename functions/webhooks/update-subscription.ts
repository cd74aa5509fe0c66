import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { updateSubscription } from "../../lib/webhooks/webhook/update-subscription.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), objects: objectStore() });

export const handler = endpoint(rows.updateSubscription, ({ ctx, params, body }) => {
  const input = { webhookId: params.webhook, subscriptionId: params.subscription, body };
  return updateSubscription(deps(), { ctx, ...input });
});
