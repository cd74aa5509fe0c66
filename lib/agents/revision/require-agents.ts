import type { AgentUse } from "../../engine/flow/step-type.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { getAgents } from "../agent/store.ts";

/**
 * Checks that agents exist, with one read. Throws 400 with a pointer to each reference to one that does not.
 */
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
