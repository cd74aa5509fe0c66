import type { IndexDocumentDeps } from "../../lib/knowledge/document/index-document.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { loadTokenCounter } from "../../lib/knowledge/sources/token-counter.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { bedrockModels, chunkSettings, outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { providerRegistry } from "../../lib/tenancy/llm-provider/registry.ts";

/** Creates the dependencies of indexing documents in a function. */
export const indexingDeps = (): Omit<IndexDocumentDeps, "countEmbeddings"> => {
  const storage = { db: database(), objects: objectStore(), sealer: kmsSealer() };
  const outgoing = { ...outgoingSettings(), bedrockModels: bedrockModels() };
  return {
    ...storage,
    vectors: vectorStore(),
    clock: systemRuntime.clock,
    chunking: chunkSettings(),
    loadTokenCounter,
    modelsFor: (tenantId) => providerRegistry({ ...storage, outgoing, tenantId }),
  };
};
