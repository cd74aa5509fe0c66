import { endpoint } from "../../lib/edge/endpoint.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { createWebhook } from "../../lib/webhooks/webhook/create-webhook.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), send });

export const handler = endpoint(rows.createWebhook, ({ ctx, body }) =>
  createWebhook(deps(), { ctx, body }),
);
