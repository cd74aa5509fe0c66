import type { QueryEmbedding } from "../engine/flow/knowledge.ts";
import type { AgentMemory, MemoryFact, MemoryQuery } from "../engine/flow/memory.ts";
import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import type { ModelRegistry } from "../engine/models/model.ts";
import { indexName } from "../knowledge/index/index-name.ts";
import { maxFound, type VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { UpstreamError } from "../platform/outgoing/upstream-error.ts";
import type { Clock } from "../platform/runtime/runtime.ts";
import { type NamespacePlace, readMemoryId, toNamespacePlace } from "./keys.ts";
import type { NamespaceItem } from "./memory-item.ts";
import { getFacts, getNamespace } from "./store.ts";
import { findNear } from "./vectors.ts";

/** Dependencies of reading the memories of an agent. */
export type RecallDeps = {
  readonly db: Database;
  readonly vectors: Pick<VectorStore, "query">;
  readonly models: ModelRegistry;
  readonly clock: Clock;
};

/** Vectors that a query may find beyond those that are wanted: of facts that are deleted or have expired. */
const spare = 10;

/** The memories of an agent, for flows. */
export const agentMemory = (
  deps: RecallDeps,
  { tenantId, agentId }: { tenantId: TenantId; agentId: string },
): AgentMemory => ({
  recall: async (query) => {
    const place = toNamespacePlace(tenantId, agentId, query.namespace);
    const namespace = await getNamespace(deps.db, place);
    if (!namespace?.hasFacts || !namespace.embedding) return { facts: [], embeddings: [] };
    const { values, embedding } = await embedQuery(deps, namespace.embedding, query);
    const index = indexName(tenantId, namespace.embedding);
    try {
      const facts = await findFacts(deps, { place, namespace, index, values, topK: query.topK });
      return { facts, embeddings: [embedding] };
    } catch (failure) {
      return { facts: [], embeddings: [embedding], failure };
    }
  },
});

const embedQuery = async (
  { models }: RecallDeps,
  { providerId, model }: EmbeddingModel,
  { text, signal }: MemoryQuery,
): Promise<{ values: readonly number[]; embedding: QueryEmbedding }> => {
  const provider = await models.resolve(providerId);
  if (!provider?.embed) {
    const detail = `The provider "${providerId}", which embeds the memories, does not exist any more.`;
    throw new UpstreamError(detail, { upstream: providerId });
  }
  const { inputTokens, vectors } = await provider.embed({ model, texts: [text], signal });
  const usage = { inputTokens, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };
  const { cost, priced } = await provider.price(model, usage);
  return { values: vectors[0] ?? [], embedding: { providerId, model, inputTokens, cost, priced } };
};

type Nearest = {
  place: NamespacePlace;
  namespace: NamespaceItem;
  index: string;
  values: readonly number[];
  topK: number;
};

/** The texts are those of the table: a fact that is deleted or has expired is not found, whatever its vector. */
const findFacts = async (
  { db, vectors, clock }: RecallDeps,
  { place, namespace: { generation }, index, values, topK }: Nearest,
): Promise<MemoryFact[]> => {
  const wanted = Math.min(maxFound, topK + spare);
  const near = await findNear({ vectors }, { place, generation, index }, { values, topK: wanted });
  const uuids = near.flatMap(({ memoryId }) => {
    const named = readMemoryId(memoryId);
    return named?.digest === place.digest ? [named.uuid] : [];
  });
  const now = clock();
  return (await getFacts(db, place, generation, uuids))
    .filter((fact) => fact !== undefined)
    .filter(({ expiresAt }) => expiresAt > now)
    .slice(0, topK)
    .map(({ id, text, createdAt }) => ({ id, text, createdAt }));
};
