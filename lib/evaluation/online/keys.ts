import { agentPartition, type Key } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** The number of an agent's executions that were scored in a month (`2026-11`, UTC). */
export const evaluatedKey = (tenantId: TenantId, agentId: string, month: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `EVALUATED#${month}`,
});

/** The scorers without a score for some execution in a month, with their last failure. */
export const failuresKey = (tenantId: TenantId, agentId: string, month: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `EVALUATED#${month}#FAILURES`,
});
