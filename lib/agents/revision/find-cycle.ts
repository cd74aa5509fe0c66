import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { getAgents } from "../agent/store.ts";

/** Maximum nesting of agents; deeper cycles are refused at run time. */
const depth = 5;

/**
 * Finds a cycle that would result if the deployed agent used these agents; undefined when there is none.
 * Concurrent deployments may still create one, which a run refuses.
 */
export const findCycle = async (
  db: Database,
  tenantId: TenantId,
  agentId: string,
  uses: readonly string[],
): Promise<readonly string[] | undefined> => {
  let ways = new Map<string, readonly string[]>(uses.map((id) => [id, [agentId, id]]));
  const seen = new Set<string>();
  for (let level = 0; level < depth && ways.size > 0; level += 1) {
    const own = ways.get(agentId);
    if (own) return own;
    for (const id of ways.keys()) seen.add(id);
    const next = new Map<string, readonly string[]>();
    for (const agent of await getAgents(db, tenantId, [...ways.keys()])) {
      const way = ways.get(agent.id) ?? [];
      for (const id of agent.deployedSubAgents) {
        if (!seen.has(id)) next.set(id, [...way, id]);
      }
    }
    ways = next;
  }
  return ways.get(agentId);
};
