import type { Key, ListKey } from "../../platform/db/keys.ts";

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
