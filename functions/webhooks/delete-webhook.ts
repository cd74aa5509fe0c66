import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { deleteWebhook } from "../../lib/webhooks/webhook/delete-webhook.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteWebhook, async ({ ctx, params }) => {
  await deleteWebhook(
    { ...deps(), clock: ctx.clock },
    { tenantId: ctx.tenant.id, webhookId: params.webhook },
  );
  return undefined;
});
