import type { ModelRegistry } from "../engine/models/model.ts";
import { createEmbedder, type Embedder } from "../knowledge/document/embedder.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import { type CountEmbeddings, writeCounted } from "../knowledge/usage/embedding-usage.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { transact } from "../platform/db/transact.ts";
import { newUuid, type Runtime } from "../platform/runtime/runtime.ts";
import type { NamespacePlace } from "./keys.ts";
import { toFactVectorKey, toVectorMetadata } from "./memory-item.ts";
import type { ReindexMemoriesMessage } from "./messages.ts";
import {
  getNamespace,
  type IndexedFact,
  listIndexedFacts,
  moveFacts,
  putEmbedding,
} from "./store.ts";
import { findEmbedding } from "./tenant-embedding.ts";
import { removeFactVectors } from "./vectors.ts";

/** Dependencies of embedding facts again. */
export type ReindexDeps = {
  readonly db: Database;
  readonly vectors: VectorStore;
  readonly modelsFor: (tenantId: TenantId) => ModelRegistry;
  readonly countEmbeddings: CountEmbeddings;
  readonly runtime: Runtime;
};

/** Facts of one call of the model, and of one transaction. */
const batchSize = 50;
/** A fact that expires so soon may be being removed. */
const marginMs = 3_600_000;

/**
 * Embeds the facts of a namespace again, with the tenant's embedding model: their vectors were lost, or the model was changed.
 * From the first moment new facts have that model. Does nothing for a namespace that was deleted. Idempotent.
 */
export const reindexMemories = async (
  deps: ReindexDeps,
  {
    message: { type: _, ...place },
    deadline,
  }: { message: ReindexMemoriesMessage; deadline: number },
): Promise<void> => {
  const { db, runtime } = deps;
  const { tenantId } = place;
  const seen = await getNamespace(db, place);
  if (!seen?.hasFacts) return;
  const embedding = await findEmbedding(db, tenantId, runtime.clock());
  const signal = AbortSignal.timeout(Math.max(1, deadline - runtime.clock()));
  const embedder = await createEmbedder(deps, { tenantId, embedding, signal });
  if (!(await putEmbedding(db, place, seen, embedding))) {
    throw new Error(`the namespace ${place.digest} was changed meanwhile`);
  }
  let batch: IndexedFact[] = [];
  const embedBatch = async () => {
    await embedFacts(deps, { place, generation: seen.generation, embedder }, batch);
    batch = [];
  };
  for await (const fact of listIndexedFacts(db, place, seen.generation)) {
    if (fact.expiresAt <= runtime.clock() + marginMs) continue;
    batch.push(fact);
    if (batch.length === batchSize) await embedBatch();
  }
  await embedBatch();
};

/**
 * Writes the vectors of facts, then notes the index in the facts: those that were deleted meanwhile have no vector at the end,
 * as a deletion after the note removes it.
 */
const embedFacts = async (
  deps: ReindexDeps,
  {
    place,
    generation,
    embedder,
  }: { place: NamespacePlace; generation: string; embedder: Embedder },
  facts: readonly IndexedFact[],
): Promise<void> => {
  if (facts.length === 0) return;
  const { db, vectors, runtime } = deps;
  const { tenantId, agentId } = place;
  const { index } = embedder;
  const values = await embedder.embed(facts.map(({ text }) => text));
  const counted = { used: [embedder.takeUsage()], at: runtime.clock(), id: newUuid(runtime) };
  await writeCounted(deps, { tenantId, counted });
  const metadata = toVectorMetadata(place, generation);
  await vectors.createIndex(index, values[0]?.length ?? 0);
  await vectors.put(
    index,
    facts.map(({ id }, at) => ({
      key: toFactVectorKey(agentId, id),
      values: values[at] ?? [],
      metadata,
    })),
  );
  let left = facts;
  while (left.length > 0) {
    const outcome = await transact(db, moveFacts(place, generation, left, index));
    if (outcome.written) break;
    const [isErased, ...failed] = outcome.failed;
    left = isErased ? [] : left.filter((_, at) => !failed[at]);
  }
  const gone = facts.filter((fact) => !left.includes(fact)).map(({ id }) => ({ id, index }));
  const moved = left.filter((fact) => fact.index !== index);
  await removeFactVectors(deps, agentId, [...gone, ...moved]);
};
