import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { listWebhooks as readWebhooks } from "../../lib/webhook/store.ts";
import { toWebhook } from "../../lib/webhook/to-webhook.ts";
import { listWebhooks } from "./routes.ts";

export const handler = endpoint(listWebhooks, database, async ({ ctx, query }, db) => {
  const webhooks = await readWebhooks(db, ctx.tenant.id);
  return webhooks
    .filter(({ provider }) => query.provider === undefined || provider === query.provider)
    .map((webhook) => toWebhook(ctx.tenant.id, webhook));
});
