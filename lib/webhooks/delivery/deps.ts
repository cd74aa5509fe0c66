import { revisionLoader } from "../../agents/revision/load-revision.ts";
import { waitWithTimer } from "../../engine/flow/wait.ts";
import { createToolRegistry } from "../../engine/tools/registry.ts";
import { database } from "../../platform/db/database.ts";
import { objectStore } from "../../platform/db/object-store.ts";
import { kmsSealer } from "../../platform/db/seal.ts";
import { send, sendMany } from "../../platform/queue/send.ts";
import { systemRuntime } from "../../platform/runtime/runtime.ts";
import type { DispatchDeps } from "./dispatch-delivery.ts";

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
    runtime: systemRuntime,
    sleep: waitWithTimer,
  };
  return shared;
};
