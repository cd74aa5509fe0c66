import { database } from "../db/database.ts";
import { objectStore } from "../db/object-store.ts";
import { waitWithTimer } from "../flow/wait.ts";
import { chunkSettings, outgoingSettings, sourceSettings } from "../runtime/env.ts";
import type { EstimateDeps } from "./estimate-assets.ts";
import { loadTokenCounter } from "./token-counter.ts";

/** What estimates need in a function. */
export const estimateDeps = (): EstimateDeps => ({
  db: database(),
  objects: objectStore(),
  outgoing: outgoingSettings(),
  sleep: waitWithTimer,
  settings: sourceSettings(),
  chunking: chunkSettings(),
  loadTokenCounter,
});
