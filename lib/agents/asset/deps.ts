import { waitWithTimer } from "../../engine/flow/wait.ts";
import { loadTokenCounter } from "../../knowledge/sources/token-counter.ts";
import { database } from "../../platform/db/database.ts";
import { objectStore } from "../../platform/db/object-store.ts";
import { chunkSettings, outgoingSettings, sourceSettings } from "../../platform/runtime/env.ts";
import type { EstimateDeps } from "./estimate-assets.ts";

/** Creates the dependencies of estimates in a function. */
export const estimateDeps = (): EstimateDeps => ({
  db: database(),
  objects: objectStore(),
  outgoing: outgoingSettings(),
  sleep: waitWithTimer,
  settings: sourceSettings(),
  chunking: chunkSettings(),
  loadTokenCounter,
});
