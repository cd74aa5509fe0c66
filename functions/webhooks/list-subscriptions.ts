import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { requireWebhook } from "../../lib/webhook/require-webhook.ts";
import { listSubscriptions as readSubscriptions } from "../../lib/webhook/subscription-store.ts";
import { listSubscriptions } from "./routes.ts";

export const handler = endpoint(listSubscriptions, database, async ({ ctx, params }, db) => {
  await requireWebhook(db, ctx.tenant.id, params.webhook);
  return readSubscriptions(db, ctx.tenant.id, params.webhook);
});
