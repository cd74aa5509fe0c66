import { requireWebhook } from "../../lib/webhooks/webhook/require-webhook.ts";
import { listSubscriptions } from "../../lib/webhooks/webhook/subscription-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listSubscriptions, async ({ db, ctx, params }) => {
  await requireWebhook(db, ctx.tenant.id, params.webhook);
  return listSubscriptions(db, ctx.tenant.id, params.webhook);
});
