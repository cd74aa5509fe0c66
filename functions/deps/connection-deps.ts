import type { ConnectionDeps } from "../../lib/integrations/connection/connection-deps.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";

/** Returns the dependencies of rules about connections; `db`: the table of a call. */
export const connectionDeps = (db = database()): ConnectionDeps => ({
  db,
  sealer: kmsSealer(),
  outgoing: outgoingSettings(),
  sleep: waitWithTimer,
  runtime: systemRuntime,
});
