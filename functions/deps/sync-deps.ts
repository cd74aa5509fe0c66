import {
  type AgentAssetsDeps,
  loadAgentAssets,
} from "../../lib/agents/revision/load-agent-assets.ts";
import { createAllSources } from "../../lib/knowledge/estimate/wharf.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { loadTokenCounter } from "../../lib/knowledge/sources/token-counter.ts";
import type { SyncDeps } from "../../lib/knowledge/sync/sync-asset.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { validationFailed } from "../../lib/platform/http/problems.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { bedrockModels, chunkSettings, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { waitWithTimer } from "../../lib/platform/runtime/wait.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { providerRegistry } from "../../lib/tenancy/llm-provider/registry.ts";
import { sourceSettings } from "../../lib/vendors/registry/source-settings.ts";
import type { SourceSettings } from "../../lib/vendors/source.ts";

let shared: SyncDeps | undefined;

/** Creates the dependencies of synchronizations in a function, once per instance. */
export const syncDeps = (): SyncDeps => {
  if (shared) return shared;
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = outgoingSettings();
  const models = { ...outgoing, bedrockModels: bedrockModels() };
  shared = {
    ...storage,
    vectors: vectorStore(),
    send,
    runtime: systemRuntime,
    clock: systemRuntime.clock,
    outgoing,
    sleep: waitWithTimer,
    chunking: chunkSettings(),
    loadTokenCounter,
    countEmbeddings,
    modelsFor: (tenantId) => providerRegistry({ ...storage, outgoing: models, tenantId }),
    sourcesFor: createSourceFinder(storage, sourceSettings()),
  };
  return shared;
};

/** Returns what finds the sources of a tenant's assets. */
export const createSourceFinder =
  (deps: AgentAssetsDeps, settings: SourceSettings): SyncDeps["sourcesFor"] =>
  (tenantId: TenantId) =>
    createAllSources(settings, (revision, agentId) => {
      if (agentId !== undefined) return loadAgentAssets(deps, { tenantId, agentId, revision });
      throw validationFailed([{ pointer: "/agentId", detail: "is required for an asset" }]);
    });
