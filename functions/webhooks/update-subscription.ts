import type { Database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { updateSubscription } from "../../lib/webhooks/webhook/update-subscription.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, objects: objectStore() });

export const handler = endpoint(rows.updateSubscription, ({ db, ctx, params, body }) => {
  const input = { webhookId: params.webhook, subscriptionId: params.subscription, body };
  return updateSubscription(deps(db), { ctx, ...input });
});
