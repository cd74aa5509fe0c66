import { database } from "../db/database.ts";
import { objectStore } from "../db/object-store.ts";
import { kmsSealer } from "../db/seal.ts";
import { waitWithTimer } from "../flow/wait.ts";
import { configToolsLoader } from "../integration/config-tools.ts";
import { tenantTools } from "../integration/tenant-tools.ts";
import { providerRegistry } from "../provider/provider-registry.ts";
import { send } from "../queue/send.ts";
import { revisionLoader } from "../revision/load-revision.ts";
import { bedrockModels, outgoingSettings } from "../runtime/env.ts";
import { systemRuntime } from "../runtime/runtime.ts";
import { skillRegistry } from "../skill/skill-registry.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import type { ExecutionDeps } from "./execution-deps.ts";

let shared: ExecutionDeps | undefined;

/** What executions need in a function; made once. */
export const executionDeps = (): ExecutionDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = outgoingSettings();
  const models = { ...outgoing, bedrockModels: bedrockModels() };
  const tools = createToolRegistry(outgoing);
  const loadTools = configToolsLoader({ ...storage, outgoing, clock: systemRuntime.clock });
  shared = {
    ...storage,
    send,
    loadRevision: revisionLoader({ ...storage, tools }),
    modelsOf: (tenantId) => providerRegistry({ ...storage, outgoing: models, tenantId }),
    skillsOf: (tenantId) => skillRegistry(storage, tenantId),
    toolsOf: (tenantId) => tenantTools({ ...storage, builtIn: tools, loadTools }, tenantId),
    runtime: systemRuntime,
    sleep: waitWithTimer,
  };
  return shared;
};
