import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { getAgents } from "../agent/store.ts";

/** As deep as agents may call each other; what lies deeper is refused when it runs. */
const depth = 5;

/**
 * The way on which an agent would come back to itself by what is deployed now, if it used these; undefined
 * when there is none. Two deployments at once may still make a circle: a run refuses it, too.
 */
export const findCircle = async (
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
