import { isDeepStrictEqual } from "node:util";
import { listAllAgents } from "../../lib/agents/agent/store.ts";
import { indexName } from "../../lib/knowledge/index/index-name.ts";
import type { NamespacePlace } from "../../lib/memory/keys.ts";
import { type NamespaceItem, toFactVectorKey } from "../../lib/memory/memory-item.ts";
import type { ReindexMemoriesMessage } from "../../lib/memory/messages.ts";
import { getNamespace, listNamespaces, listPlacedFacts } from "../../lib/memory/store.ts";
import { findEmbedding } from "../../lib/memory/tenant-embedding.ts";
import type { TenantId } from "../../lib/platform/db/tenant-id.ts";
import type { Installation } from "./installation.ts";
import { findMissingVectors } from "./vectors.ts";

const factsAtOnce = 100;

/**
 * Requests that a tenant's memories without vectors, and those of another model than the tenant's, are embedded again. Returns
 * the number of their namespaces by agent. Idempotent.
 */
export const reindexMemories = async (
  installation: Installation,
  tenantId: TenantId,
  now: number,
): Promise<{ agentId: string; namespaces: number }[]> => {
  const { db, send } = installation;
  const embedding = await findEmbedding(db, tenantId, now);
  const index = indexName(tenantId, embedding);
  const found: { agentId: string; namespaces: number }[] = [];
  for await (const { id: agentId } of listAllAgents(db, tenantId)) {
    let namespaces = 0;
    for await (const place of listNamespaces(db, { tenantId, agentId })) {
      const namespace = await getNamespace(db, place);
      if (!namespace?.hasFacts) continue;
      const isRight =
        isDeepStrictEqual(namespace.embedding, embedding) &&
        (await hasVectors(installation, { place, namespace, index }));
      if (isRight) continue;
      namespaces += 1;
      const message: ReindexMemoriesMessage = { type: "reindex-memories", ...place };
      await send("evaluations", tenantId, message);
    }
    if (namespaces > 0) found.push({ agentId, namespaces });
  }
  return found;
};

const hasVectors = async (
  installation: Installation,
  { place, namespace, index }: { place: NamespacePlace; namespace: NamespaceItem; index: string },
): Promise<boolean> => {
  const hasAll = async (keys: readonly string[]) =>
    (await findMissingVectors(installation, index, keys)).size === 0;
  let keys: string[] = [];
  const facts = listPlacedFacts(installation.db, place, namespace.generation, {
    newestFirst: true,
  });
  for await (const fact of facts) {
    if (fact.index !== index) return false;
    keys.push(toFactVectorKey(place.agentId, fact.id));
    if (keys.length < factsAtOnce) continue;
    if (!(await hasAll(keys))) return false;
    keys = [];
  }
  return hasAll(keys);
};
