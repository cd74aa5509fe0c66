import { waitWithTimer } from "../../engine/flow/wait.ts";
import { loadTokenCounter } from "../../knowledge/sources/token-counter.ts";
import type { SyncDeps } from "../../knowledge/sync/sync-asset.ts";
import { vectorStore } from "../../knowledge/vectors/store.ts";
import { database } from "../../platform/db/database.ts";
import { objectStore } from "../../platform/db/object-store.ts";
import { kmsSealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { send } from "../../platform/queue/send.ts";
import {
  type AllSourceSettings,
  bedrockModels,
  chunkSettings,
  outgoingSettings,
  sourceSettings,
} from "../../platform/runtime/env.ts";
import { systemRuntime } from "../../platform/runtime/runtime.ts";
import { countEmbeddings } from "../../spending/usage/count-embeddings.ts";
import { providerRegistry } from "../../tenancy/llm-provider/registry.ts";
import { type AgentAssetsDeps, loadAgentAssets } from "./load-agent-assets.ts";
import { createAllSources } from "./wharf.ts";

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
  (deps: AgentAssetsDeps, settings: AllSourceSettings): SyncDeps["sourcesFor"] =>
  (tenantId: TenantId) =>
    createAllSources(settings, (revision, agentId) => {
      if (agentId !== undefined) return loadAgentAssets(deps, tenantId, agentId, revision);
      throw validationFailed([{ pointer: "/agentId", detail: "is required for an asset" }]);
    });
