import { agentPartition, type Key, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** The secret that a tenant's feedback links are signed with. */
export const feedbackSecretKey = (tenantId: TenantId): Key => ({
  pk: tenantPartition(tenantId),
  sk: "FEEDBACKSECRET",
});

/** The use of a feedback link, until it expires. */
export const feedbackUseKey = (tenantId: TenantId, agentId: string, linkId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `FEEDBACK#${linkId}`,
});
