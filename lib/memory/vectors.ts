import type { VectorFilter, VectorStore } from "../knowledge/index/vector-store.ts";
import type { NamespacePlace } from "./keys.ts";
import {
  type MemoryItem,
  readFactVectorKey,
  toFactVectorKey,
  toVectorMetadata,
} from "./memory-item.ts";

/** A fact that a query found; `distance` is the cosine distance, 0 to 2. */
export type NearFact = { memoryId: string; distance: number };

/** Finds the facts of a namespace that are nearest to a vector. */
export const findNear = async (
  { vectors }: { vectors: Pick<VectorStore, "query"> },
  { place, generation, index }: { place: NamespacePlace; generation: string; index: string },
  { values, topK }: { values: readonly number[]; topK: number },
): Promise<NearFact[]> => {
  const filter = toFilter(toVectorMetadata(place, generation));
  const found = await vectors.query(index, { values, topK, filter });
  return found.flatMap(({ key, distance }) => {
    const memoryId = readFactVectorKey(key);
    return memoryId === undefined ? [] : [{ memoryId, distance }];
  });
};

const toFilter = (metadata: Readonly<Record<string, string>>): VectorFilter => ({
  $and: Object.entries(metadata).map(([name, value]) => ({ [name]: value })),
});

/** Removes the vectors of facts. Idempotent. */
export const removeFactVectors = async (
  { vectors }: { vectors: Pick<VectorStore, "remove"> },
  agentId: string,
  facts: readonly Pick<MemoryItem, "id" | "index">[],
): Promise<void> => {
  for (const [index, group] of Map.groupBy(facts, (fact) => fact.index)) {
    await vectors.remove(
      index,
      group.map(({ id }) => toFactVectorKey(agentId, id)),
    );
  }
};
