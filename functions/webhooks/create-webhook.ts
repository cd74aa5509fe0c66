import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { send } from "../../lib/queue/send.ts";
import { createWebhook as create } from "../../lib/webhook/create-webhook.ts";
import { createWebhook } from "./routes.ts";

const deps = () => ({ db: database(), sealer: kmsSealer(), send });

export const handler = endpoint(createWebhook, deps, ({ ctx, body }, deps) =>
  create({ ctx, input: body, deps }),
);
