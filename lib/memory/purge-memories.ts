import * as z from "zod";
import type { PurgeAgentMessage } from "../agents/messages.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import { listAll } from "../platform/db/list-page.ts";
import { type PurgeStep, purgeItems } from "../platform/deletion/purge.ts";
import type { PurgeRef } from "../platform/deletion/tombstone.ts";
import { agentMemoriesLists, memoriesList } from "./keys.ts";
import type { PurgeMemoriesMessage } from "./messages.ts";
import { removeFactVectors } from "./vectors.ts";

/** A fact, or a namespace, which has no vector. */
const Item = z.object({
  pk: z.string(),
  sk: z.string(),
  id: z.string().optional(),
  index: z.string().optional(),
});
type Item = z.output<typeof Item>;

const removeVectorsBefore =
  (vectors: Pick<VectorStore, "remove">, agentId: string) =>
  (items: readonly Item[]): Promise<void> => {
    const facts = items.flatMap(({ id, index }) =>
      id === undefined || index === undefined ? [] : [{ id, index }],
    );
    return removeFactVectors({ vectors }, agentId, facts);
  };

/** Returns the step that deletes the facts of a deleted namespace, after their vectors. */
export const purgeMemories = (
  { generation, ...place }: PurgeRef<PurgeMemoriesMessage>,
  vectors: Pick<VectorStore, "remove">,
): PurgeStep =>
  purgeItems({
    list: (db) => listAll(db, Item, memoriesList(place, generation)),
    before: removeVectorsBefore(vectors, place.agentId),
  });

/** Returns the steps that delete the memories of a deleted agent, after their vectors. */
export const purgeAgentMemories = (
  { tenantId, agentId }: PurgeRef<PurgeAgentMessage>,
  vectors: Pick<VectorStore, "remove">,
): PurgeStep[] =>
  agentMemoriesLists(tenantId, agentId).map((list) =>
    purgeItems({
      list: (db) => listAll(db, Item, list),
      before: removeVectorsBefore(vectors, agentId),
    }),
  );
