import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { requireWebhook } from "../../lib/webhook/require-webhook.ts";
import { toWebhook } from "../../lib/webhook/to-webhook.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getWebhook, async ({ ctx, params }) =>
  toWebhook(ctx.tenant.id, await requireWebhook(database(), ctx.tenant.id, params.webhook)),
);
