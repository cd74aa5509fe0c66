import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { eventBridgeSchedules } from "../../lib/agents/schedule/event-bridge.ts";
import { type SyncSchedulesDeps, syncSchedules } from "../../lib/agents/schedule/sync-schedules.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { endHooks } from "../../lib/executions/hooks/end-hooks.ts";
import { type RefusalDeps, startScheduled } from "../../lib/executions/start/start-triggered.ts";
import { resumeConnected } from "../../lib/executions/wait/end-wait.ts";
import { wakeExecution } from "../../lib/executions/wait/wake-execution.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { fileStorage } from "../deps/file-storage.ts";
import * as rows from "./messages.ts";

let shared: (RefusalDeps & SyncSchedulesDeps) | undefined;

const deps = (): RefusalDeps & SyncSchedulesDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const loadRevision = revisionLoader({ ...storage, tools: createToolRegistry() });
  const schedules = eventBridgeSchedules();
  const files = fileStorage();
  shared = { ...storage, send, loadRevision, files, schedules, endHooks, runtime: systemRuntime };
  return shared;
};

export const handler = consumer(rows.startScheduled, deps, (message, deps) => {
  switch (message.type) {
    case "sync-schedules":
      return syncSchedules(deps, message);
    case "run-schedule":
      return startScheduled(deps, message);
    case "wake-execution":
      return wakeExecution(deps, message);
    case "resume-connected":
      return resumeConnected(deps, message);
  }
});
