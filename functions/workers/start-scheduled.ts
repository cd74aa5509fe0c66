import { database } from "../../lib/db/database.ts";
import { objectStore } from "../../lib/db/object-store.ts";
import { kmsSealer } from "../../lib/db/seal.ts";
import type { BeginDeps } from "../../lib/execution/begin-triggered.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { send } from "../../lib/queue/send.ts";
import { revisionLoader } from "../../lib/revision/load-revision.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { eventBridgeSchedules } from "../../lib/schedule/event-bridge.ts";
import { startScheduled as start } from "../../lib/schedule/start-scheduled.ts";
import { type SyncDeps, syncSchedules } from "../../lib/schedule/sync-schedules.ts";
import { createToolRegistry } from "../../lib/tools/tool-registry.ts";
import { startScheduled } from "./messages.ts";

let shared: (BeginDeps & SyncDeps) | undefined;

const deps = (): BeginDeps & SyncDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const loadRevision = revisionLoader({ ...storage, tools: createToolRegistry() });
  const schedules = eventBridgeSchedules();
  shared = { ...storage, send, loadRevision, schedules, runtime: systemRuntime };
  return shared;
};

export const handler = consumer(startScheduled, deps, (message, deps) => {
  switch (message.type) {
    case "sync-schedules":
      return syncSchedules(deps, message);
    case "run-schedule":
      return start(deps, message);
  }
});
