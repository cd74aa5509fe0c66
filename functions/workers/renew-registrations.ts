import { setTimeout as sleep } from "node:timers/promises";
import { database } from "../../lib/db/database.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import { scheduled } from "../../lib/queue/scheduled.ts";
import { renewRegistrations as renew } from "../../lib/registration/renew-registrations.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { renewRegistrations } from "./schedules.ts";

/** Leaves time to note what came of the last one before the function is cut off. */
const finishMs = 30_000;

const deps = () => ({
  db: database(),
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  ...systemRuntime,
  sleep,
});

export const handler = scheduled(renewRegistrations, deps, (deps) =>
  renew(deps, deps.clock() + renewRegistrations.timeoutSeconds * 1_000 - finishMs),
);
