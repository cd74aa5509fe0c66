import { database } from "../../platform/db/database.ts";
import { objectStore } from "../../platform/db/object-store.ts";
import { kmsSealer } from "../../platform/db/seal.ts";
import { bedrockModels, chunkSettings, outgoingSettings } from "../../platform/runtime/env.ts";
import { systemRuntime } from "../../platform/runtime/runtime.ts";
import { providerRegistry } from "../../tenancy/llm-provider/registry.ts";
import { loadTokenCounter } from "../sources/token-counter.ts";
import { vectorStore } from "../vectors/store.ts";
import type { IndexDocumentDeps } from "./index-document.ts";

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
