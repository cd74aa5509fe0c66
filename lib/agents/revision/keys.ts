import { agentPartition, type Key, type ListKey, revisionDigits } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/** A revision's row, for lists. */
export const revisionKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `REV#${revisionDigits(revision)}`,
});

/** A revision's content, in an item of its own that lists do not read. */
export const revisionContentKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CONTENT#${revisionDigits(revision)}`,
});

export const revisionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "REV#",
});
