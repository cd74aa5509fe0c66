import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { requireWebhook } from "../../lib/webhook/require-webhook.ts";
import { toWebhook } from "../../lib/webhook/to-webhook.ts";
import { getWebhook } from "./routes.ts";

export const handler = endpoint(getWebhook, database, async ({ ctx, params }, db) =>
  toWebhook(ctx.tenant.id, await requireWebhook(db, ctx.tenant.id, params.webhook)),
);
