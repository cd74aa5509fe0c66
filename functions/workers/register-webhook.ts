import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { registerWebhook as register } from "../../lib/registration/register-webhook.ts";
import { unregisterWebhook } from "../../lib/registration/unregister-webhook.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { registerWebhook } from "./messages.ts";

/** Leaves time to note what came of it before the function is cut off. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  ...systemRuntime,
  sleep,
});

export const handler = consumer(registerWebhook, deps, (message, deps, { deadline }) => {
  const until = deadline - finishMs;
  return message.type === "register-webhook"
    ? register(deps, message, until)
    : unregisterWebhook(deps, message, until);
});
