import { setTimeout as sleep } from "node:timers/promises";
import { scheduled } from "../../lib/edge/scheduled.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { renewRegistrations } from "../../lib/webhooks/registration/renew-registrations.ts";
import * as rows from "./schedules.ts";

/** Time reserved for saving the last outcome before the timeout. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  ...systemRuntime,
  sleep,
});

export const handler = scheduled(rows.renewRegistrations, deps, (deps) =>
  renewRegistrations(
    deps,
    deps.clock() + rows.renewRegistrations.timeoutSeconds * 1_000 - finishMs,
  ),
);
