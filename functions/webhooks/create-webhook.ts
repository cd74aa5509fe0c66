import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { createWebhook } from "../../lib/webhook/create-webhook.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), send });

export const handler = endpoint(rows.createWebhook, ({ ctx, body }) =>
  createWebhook({ ctx, input: body, deps: deps() }),
);
