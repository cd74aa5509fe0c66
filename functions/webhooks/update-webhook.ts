import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { updateWebhook } from "../../lib/webhooks/webhook/update-webhook.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), send });

export const handler = endpoint(rows.updateWebhook, ({ ctx, params, body }) =>
  updateWebhook(deps(), { ctx, webhookId: params.webhook, body }),
);
