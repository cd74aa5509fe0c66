import { createToolRegistry } from "../../engine/tools/registry.ts";
import { database } from "../../platform/db/database.ts";
import { kmsSealer } from "../../platform/db/seal.ts";
import { outgoingSettings } from "../../platform/runtime/env.ts";
import { systemRuntime } from "../../platform/runtime/runtime.ts";
import { configToolsLoader } from "./config-tools.ts";
import type { FindToolsDeps } from "./find-tools.ts";

let shared: FindToolsDeps | undefined;

/** Returns the dependencies for finding and running tools, created once per function instance with their cache. */
export const toolsDeps = (): FindToolsDeps => {
  if (shared) return shared;
  const outgoing = outgoingSettings();
  shared = {
    builtIn: createToolRegistry(outgoing),
    loadTools: configToolsLoader({
      db: database(),
      sealer: kmsSealer(),
      outgoing,
      clock: systemRuntime.clock,
    }),
  };
  return shared;
};
