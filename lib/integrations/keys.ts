import { type Key, type ListKey, revisionDigits, tenantPartition } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

/** An integration config with the content of its latest revision. */
export const integrationConfigKey = (tenantId: TenantId, configId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `INTEGRATION#${configId}`,
});

export const integrationConfigsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "INTEGRATION#",
});

/** A revision of an integration config. */
export const integrationRevisionKey = (
  tenantId: TenantId,
  configId: string,
  revision: number,
): Key => ({
  pk: `TENANT#${tenantId}#INTEGRATION#${configId}`,
  sk: `REV#${revisionDigits(revision)}`,
});

export const integrationRevisionsList = (tenantId: TenantId, configId: string): ListKey => ({
  pk: `TENANT#${tenantId}#INTEGRATION#${configId}`,
  prefix: "REV#",
});

/** Entry of a config in the list of published configs of its integration. */
export const publishedConfigKey = (
  tenantId: TenantId,
  integrationId: string,
  configId: string,
): Key => ({
  pk: tenantPartition(tenantId),
  sk: `PUBLISHED#${integrationId}#${configId}`,
});

export const publishedConfigsList = (tenantId: TenantId, integrationId: string): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: `PUBLISHED#${integrationId}#`,
});
