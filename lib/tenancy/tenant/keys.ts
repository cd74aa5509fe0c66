import { type Key, type ListKey, tenantPartition } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

export const tenantKey = (tenantId: string): Key => ({ pk: `TENANT#${tenantId}`, sk: "TENANT" });

export const tenantAliasKey = (slug: string): Key => ({ pk: `TENANT#${slug}`, sk: "ALIAS" });

export const organizationTenantKey = (organizationId: string, slug: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `TENANT#${slug}`,
});

export const organizationTenantsList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "TENANT#",
});

/** A secret that signs addresses of a tenant. */
export const signingSecretKey = (tenantId: TenantId, purpose: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `SIGNINGSECRET#${purpose}`,
});
