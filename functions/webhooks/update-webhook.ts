import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { updateWebhook as update } from "../../lib/webhook/update-webhook.ts";
import { updateWebhook } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), send });

export const handler = endpoint(updateWebhook, deps, ({ ctx, params, body }, deps) =>
  update({ ctx, input: { webhookId: params.webhook, body }, deps }),
);
