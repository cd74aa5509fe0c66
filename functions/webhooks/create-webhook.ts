import type { Database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { createWebhook } from "../../lib/webhooks/webhook/create-webhook.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, sealer: kmsSealer(), send });

export const handler = endpoint(rows.createWebhook, ({ db, ctx, body }) =>
  createWebhook(deps(db), { ctx, body }),
);
