import { type Key, type ListKey, revisionDigits, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

export const guardrailKey = (tenantId: TenantId, guardrailId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `GUARDRAIL#${guardrailId}`,
});

export const guardrailsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "GUARDRAIL#",
});

const revisionsPartition = (tenantId: TenantId, guardrailId: string): string =>
  `TENANT#${tenantId}#GUARDRAIL#${guardrailId}`;

export const guardrailRevisionKey = (
  tenantId: TenantId,
  guardrailId: string,
  revision: number,
): Key => ({
  pk: revisionsPartition(tenantId, guardrailId),
  sk: `REV#${revisionDigits(revision)}`,
});

export const guardrailRevisionsList = (tenantId: TenantId, guardrailId: string): ListKey => ({
  pk: revisionsPartition(tenantId, guardrailId),
  prefix: "REV#",
});
