import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deleteWebhook } from "../../lib/webhook/delete-webhook.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteWebhook, async ({ ctx, params }) => {
  await deleteWebhook(ctx.tenant.id, params.webhook, deps());
  return undefined;
});
