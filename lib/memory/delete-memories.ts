import { getAgent } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import { listAll } from "../platform/db/list-page.ts";
import { retryOnConflict } from "../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { transact } from "../platform/db/transact.ts";
import { replaceByTombstone, requestPurge } from "../platform/deletion/tombstone.ts";
import { beingChanged, notFound } from "../platform/http/problems.ts";
import type { Send } from "../platform/queue/send.ts";
import { newUuid, type Runtime } from "../platform/runtime/runtime.ts";
import { deletedNamespacesList, toNamespacePlace } from "./keys.ts";
import { checkSameAgent, eraseNamespace, getNamespace } from "./store.ts";
import { namespaceTombstones } from "./tombstone.ts";

/**
 * Deletes all facts of a namespace immediately, and drops earlier turns that are not remembered yet; a queue removes the items
 * and vectors soon after. Throws 404 without the agent. Safe to repeat.
 */
export const deleteMemories = async (
  { db, send, runtime }: { db: Database; send: Send; runtime: Runtime },
  { tenantId, agentId, namespace }: { tenantId: TenantId; agentId: string; namespace: string },
): Promise<void> => {
  const place = toNamespacePlace(tenantId, agentId, namespace);
  const error = () => beingChanged("namespace", namespace);
  await retryOnConflict({ attempts: 10, maxPauseMs: 200, error }, async () => {
    if (!(await getAgent(db, tenantId, agentId))) throw notFound("agent", agentId);
    const seen = await getNamespace(db, place);
    const erased = { generation: newUuid(runtime), now: runtime.clock() };
    const writes = [eraseNamespace(place, seen, erased), checkSameAgent(place)];
    if (!seen) return (await transact(db, writes)).written ? "written" : "changed";
    const { generation } = seen;
    const ref = { ...place, generation };
    return replaceByTombstone(db, namespaceTombstones, ref, { tombstone: { generation }, writes });
  });
  // Also of calls that ended before their request.
  const left = listAll(db, namespaceTombstones.schema, deletedNamespacesList(place));
  for await (const { generation } of left) {
    await requestPurge(send, namespaceTombstones, { ...place, generation });
  }
};
