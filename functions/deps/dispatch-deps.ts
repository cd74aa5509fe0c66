import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { endHooks } from "../../lib/executions/hooks/end-hooks.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send, sendMany } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";
import type { DispatchDeps } from "../../lib/webhooks/delivery/received-delivery.ts";
import { fileStorage } from "./file-storage.ts";

let shared: DispatchDeps | undefined;

/** Creates the dependencies of dispatching deliveries in a function, once per instance. */
export const dispatchDeps = (): DispatchDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const loadRevision = revisionLoader({ ...storage, tools: createToolRegistry() });
  shared = {
    ...storage,
    send,
    sendMany,
    loadRevision,
    files: fileStorage(),
    endHooks,
    runtime: systemRuntime,
    sleep: waitWithTimer,
  };
  return shared;
};
