import { getAgent } from "../agents/agent/store.ts";
import type { Database } from "../platform/db/database.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { mapPage, type Page, type PageRequest } from "../platform/http/paging.ts";
import { notFound } from "../platform/http/problems.ts";
import { toNamespacePlace } from "./keys.ts";
import { toMemory } from "./memory-item.ts";
import type { Memory } from "./schemas.ts";
import { getNamespace, listFacts } from "./store.ts";

/** Lists the facts of a namespace that have not expired, newest first. Throws 404 without the agent. */
export const listMemories = async (
  db: Database,
  {
    tenantId,
    agentId,
    namespace,
    now,
  }: { tenantId: TenantId; agentId: string; namespace: string; now: number },
  page: PageRequest,
): Promise<Page<Memory>> => {
  if (!(await getAgent(db, tenantId, agentId))) throw notFound("agent", agentId);
  const place = toNamespacePlace(tenantId, agentId, namespace);
  const found = await getNamespace(db, place);
  if (!found) return { items: [], nextPageToken: null };
  const facts = await listFacts(db, place, found.generation, page);
  // Only the oldest ones may have expired: those at the end.
  const kept = facts.items.filter(({ expiresAt }) => expiresAt > now);
  return mapPage({ ...facts, items: kept }, toMemory);
};
