import { database } from "../db/database.ts";
import { kmsSealer } from "../db/seal.ts";
import { outgoingSettings } from "../runtime/env.ts";
import { systemRuntime } from "../runtime/runtime.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { configToolsLoader } from "./config-tools.ts";
import type { FindToolsDeps } from "./find-tools.ts";

let shared: FindToolsDeps | undefined;

/** What finding and running tools needs in a function; made once, with the tools that it keeps. */
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
