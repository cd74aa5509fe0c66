import { database } from "../../lib/db/database.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { deleteWebhook as remove } from "../../lib/webhook/delete-webhook.ts";
import { deleteWebhook } from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(deleteWebhook, deps, async ({ ctx, params }, deps) => {
  await remove(ctx.tenant.id, params.webhook, deps);
  return undefined;
});
