import { requireWebhook } from "../../lib/webhooks/webhook/require-webhook.ts";
import { toWebhook } from "../../lib/webhooks/webhook/to-webhook.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getWebhook, async ({ db, ctx, params }) =>
  toWebhook(ctx, await requireWebhook(db, ctx.tenant.id, params.webhook)),
);
