import { setTimeout as sleep } from "node:timers/promises";
import { consumer } from "../../lib/edge/consumer.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings, publicUrl } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { registerWebhook } from "../../lib/webhooks/registration/register-webhook.ts";
import { unregisterWebhook } from "../../lib/webhooks/registration/unregister-webhook.ts";
import * as rows from "./messages.ts";

/** Time reserved for saving the outcome before the timeout. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  publicUrl: publicUrl(),
  ...systemRuntime,
  sleep,
});

export const handler = consumer(rows.registerWebhook, deps, (message, deps, { deadline }) => {
  const until = deadline - finishMs;
  return message.type === "register-webhook"
    ? registerWebhook(deps, { message, until })
    : unregisterWebhook(deps, { message, until });
});
