import { revisionLoader } from "../agents/revision/load-revision.ts";
import { skillRegistry } from "../agents/skill/registry.ts";
import { waitWithTimer } from "../engine/flow/wait.ts";
import { createToolRegistry } from "../engine/tools/registry.ts";
import { configToolsLoader } from "../integrations/catalog/config-tools.ts";
import { tenantTools } from "../integrations/catalog/tenant-tools.ts";
import { tenantKnowledge } from "../knowledge/search/tenant-knowledge.ts";
import { vectorStore } from "../knowledge/vectors/store.ts";
import { database } from "../platform/db/database.ts";
import { objectStore } from "../platform/db/object-store.ts";
import { kmsSealer } from "../platform/db/seal.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { send } from "../platform/queue/send.ts";
import { bedrockModels, outgoingSettings } from "../platform/runtime/env.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";
import { providerRegistry } from "../tenancy/llm-provider/registry.ts";
import type { ExecutionDeps } from "./context.ts";

let shared: ExecutionDeps | undefined;

/** Creates the dependencies of executions in a function, once per instance. */
export const executionDeps = (): ExecutionDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = outgoingSettings();
  const models = { ...outgoing, bedrockModels: bedrockModels() };
  const tools = createToolRegistry(outgoing);
  const loadTools = configToolsLoader({ ...storage, outgoing, clock: systemRuntime.clock });
  const modelsFor = (tenantId: TenantId) =>
    providerRegistry({ ...storage, outgoing: models, tenantId });
  shared = {
    ...storage,
    send,
    loadRevision: revisionLoader({ ...storage, tools }),
    modelsFor,
    skillsFor: (tenantId) => skillRegistry(storage, tenantId),
    knowledgeFor: (tenantId) =>
      tenantKnowledge(
        { ...storage, vectors: vectorStore(), models: modelsFor(tenantId) },
        tenantId,
      ),
    toolsFor: (tenantId) => tenantTools({ ...storage, builtIn: tools, loadTools }, tenantId),
    runtime: systemRuntime,
    sleep: waitWithTimer,
  };
  return shared;
};
