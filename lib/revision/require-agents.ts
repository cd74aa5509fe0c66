import { getAgents } from "../agent/store.ts";
import type { Database } from "../db/database.ts";
import type { AgentUse } from "../flow/step-type.ts";
import { validationFailed } from "../http/problems.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** Throws 400 with a pointer to each place that names an agent which does not exist. One read, none without uses. */
export const requireAgents = async (
  db: Database,
  tenantId: TenantId,
  uses: readonly AgentUse[],
): Promise<void> => {
  if (uses.length === 0) return;
  const agents = await getAgents(
    db,
    tenantId,
    uses.map(({ agentId }) => agentId),
  );
  const known = new Set(agents.map(({ id }) => id));
  const missing = uses.filter(({ agentId }) => !known.has(agentId));
  if (missing.length === 0) return;
  throw validationFailed(
    missing.map(({ agentId, pointer }) => ({ pointer, detail: `there is no agent "${agentId}"` })),
  );
};
