import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { skillRegistry } from "../../lib/agents/skill/registry.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { endHooks } from "../../lib/executions/hooks/end-hooks.ts";
import type { ExecutionDeps } from "../../lib/executions/job/job.ts";
import { configToolsLoader } from "../../lib/integrations/tools/config-tools.ts";
import { tenantTools } from "../../lib/integrations/tools/tenant-tools.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { tenantKnowledge } from "../../lib/knowledge/search/tenant-knowledge.ts";
import { agentMemory } from "../../lib/memory/recall-facts.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { bedrockModels, outgoingSettings, publicUrl } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";
import { providerRegistry } from "../../lib/tenancy/llm-provider/registry.ts";
import { fileStorage } from "./file-storage.ts";

let shared: ExecutionDeps | undefined;

/** Creates the dependencies of executions in a function, once per instance. */
export const executionDeps = (): ExecutionDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = outgoingSettings();
  const models = { ...outgoing, bedrockModels: bedrockModels() };
  const tools = createToolRegistry(outgoing);
  const loadTools = configToolsLoader({
    ...storage,
    outgoing,
    runtime: systemRuntime,
    sleep: waitWithTimer,
    publicUrl: publicUrl(),
  });
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
    files: fileStorage(),
    memoryFor: (tenantId, agentId) =>
      agentMemory(
        {
          ...storage,
          vectors: vectorStore(),
          models: modelsFor(tenantId),
          clock: systemRuntime.clock,
        },
        { tenantId, agentId },
      ),
    toolsFor: (tenantId, people) =>
      tenantTools({ ...storage, builtIn: tools, loadTools }, { tenantId, people }),
    endHooks,
    runtime: systemRuntime,
    sleep: waitWithTimer,
    publicUrl: publicUrl(),
  };
  return shared;
};
