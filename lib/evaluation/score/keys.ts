import { agentPartition, type Key } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** The use of a feedback link, until it expires. */
export const feedbackUseKey = (tenantId: TenantId, agentId: string, linkId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `FEEDBACK#${linkId}`,
});
