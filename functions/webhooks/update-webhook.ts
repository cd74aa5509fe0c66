import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { updateWebhook } from "../../lib/webhooks/webhook/update-webhook.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), send });

export const handler = endpoint(rows.updateWebhook, ({ db, ctx, params, body }) =>
  updateWebhook(deps(db), { ctx, webhookId: params.webhook, body }),
);
