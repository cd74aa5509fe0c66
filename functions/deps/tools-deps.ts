import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { configToolsLoader } from "../../lib/integrations/tools/config-tools.ts";
import type { FindToolsDeps } from "../../lib/integrations/tools/find-tools.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { outgoingSettings, publicUrl } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";

let shared: FindToolsDeps | undefined;

/** Returns the dependencies for finding and running tools, created once per function instance with their cache. */
export const toolsDeps = (): FindToolsDeps => {
  if (shared) return shared;
  const outgoing = outgoingSettings();
  const storage = { db: database(), sealer: kmsSealer() };
  shared = {
    storage,
    builtIn: createToolRegistry(outgoing),
    loadTools: configToolsLoader({
      ...storage,
      outgoing,
      runtime: systemRuntime,
      sleep: waitWithTimer,
      publicUrl: publicUrl(),
    }),
  };
  return shared;
};
