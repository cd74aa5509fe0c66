import { listWebhooks } from "../../lib/webhooks/webhook/store.ts";
import { toWebhook } from "../../lib/webhooks/webhook/to-webhook.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listWebhooks, async ({ db, ctx, query }) => {
  const webhooks = await listWebhooks(db, ctx.tenant.id);
  return webhooks
    .filter(({ provider }) => query.provider === undefined || provider === query.provider)
    .map((webhook) => toWebhook(ctx, webhook));
});
