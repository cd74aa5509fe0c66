import type { VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { NamespacePlace } from "./keys.ts";
import { maxFactsOfNamespace } from "./limits.ts";
import { deleteFacts, getNamespace, listPlacedFacts, type PlacedFact } from "./store.ts";
import { removeFactVectors } from "./vectors.ts";

/** Removes the facts of a namespace that have expired, and the oldest ones that it has no room for. Idempotent. */
export const removeExcess = async (
  deps: { db: Database; vectors: Pick<VectorStore, "remove">; runtime: Pick<Runtime, "clock"> },
  place: NamespacePlace,
): Promise<void> => {
  const generation = (await getNamespace(deps.db, place))?.generation;
  if (generation === undefined) return;
  const now = deps.runtime.clock();
  const excess: PlacedFact[] = [];
  let kept = 0;
  for await (const fact of listPlacedFacts(deps.db, place, generation, { newestFirst: true })) {
    if (fact.expiresAt <= now || kept === maxFactsOfNamespace) excess.push(fact);
    else kept += 1;
  }
  if (excess.length === 0) return;
  await removeFactVectors(deps, place.agentId, excess);
  await deleteFacts(deps.db, excess);
};
