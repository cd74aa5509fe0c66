import { deliverAlert as deliver } from "../../lib/alert/deliver-alert.ts";
import { sendMail } from "../../lib/alert/send-mail.ts";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { deliverAlert } from "./messages.ts";

const sealer = kmsSealer();
const deps = () => ({
  db: database(),
  sealer,
  outgoing: outgoingSettings(),
  clock: systemRuntime.clock,
  sendMail,
});

export const handler = consumer(deliverAlert, deps, (message, deps) => deliver(deps, message));
