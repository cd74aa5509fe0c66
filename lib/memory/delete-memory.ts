import { indexName } from "../knowledge/index/index-name.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { notFound } from "../platform/http/problems.ts";
import type { Send } from "../platform/queue/send.ts";
import { readMemoryId } from "./keys.ts";
import type { RemoveMemoryMessage } from "./messages.ts";
import { deleteFact, getFacts, getNamespace } from "./store.ts";
import { removeFactVectors } from "./vectors.ts";

/** Time after which a queue removes the vector that a call which ended early has left. */
const resumedAfterSeconds = 60;

type DeleteDeps = { db: Database; vectors: Pick<VectorStore, "remove">; send: Send };
type Deletion = { tenantId: TenantId; agentId: string; memoryId: string };

/** Deletes a fact with its vector. Throws 404. */
export const deleteMemory = async (
  deps: DeleteDeps,
  { tenantId, agentId, memoryId }: Deletion,
): Promise<void> => {
  const { db, send } = deps;
  const { digest, uuid } = readMemoryId(memoryId) ?? {};
  if (digest === undefined || uuid === undefined) throw notFound("memory", memoryId);
  const place = { tenantId, agentId, digest };
  const namespace = await getNamespace(db, place);
  const [fact] = namespace ? await getFacts(db, place, namespace.generation, [uuid]) : [];
  if (!namespace?.embedding || !fact) throw notFound("memory", memoryId);
  const { embedding, generation } = namespace;
  const message: RemoveMemoryMessage = {
    type: "remove-memory",
    tenantId,
    agentId,
    memoryId,
    embedding,
  };
  // First: a call that ends after the deletion has requested the removal.
  await send("housekeeping", tenantId, message, resumedAfterSeconds);
  if (!(await deleteFact(db, place, generation, uuid))) throw notFound("memory", memoryId);
  await removeFactVectors(deps, agentId, [fact]);
};

/** Removes the vector of a fact that is deleted; does nothing while the fact exists. */
export const removeDeletedMemory = async (
  deps: Pick<DeleteDeps, "db" | "vectors">,
  { tenantId, agentId, memoryId, embedding }: Omit<RemoveMemoryMessage, "type">,
): Promise<void> => {
  const { digest = "", uuid = "" } = readMemoryId(memoryId) ?? {};
  const place = { tenantId, agentId, digest };
  const namespace = await getNamespace(deps.db, place);
  const [fact] = namespace ? await getFacts(deps.db, place, namespace.generation, [uuid]) : [];
  if (fact) return;
  await removeFactVectors(deps, agentId, [{ id: memoryId, index: indexName(tenantId, embedding) }]);
};
