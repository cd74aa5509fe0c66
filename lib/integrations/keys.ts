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

const connectionsPartition = (tenantId: TenantId): string => `TENANT#${tenantId}#CONNECTIONS`;

/** A connection of a config, of the tenant or of one of its people. */
export const connectionKey = (tenantId: TenantId, connectionId: string): Key => ({
  pk: connectionsPartition(tenantId),
  sk: `CONNECTION#${connectionId}`,
});

/** The connections of a config, or of all without `configId`. */
export const connectionsList = (tenantId: TenantId, configId = ""): ListKey => ({
  pk: connectionsPartition(tenantId),
  prefix: `CONNECTION#${configId}`,
});

/** A consent that a browser began, by the hash of its state. */
export const consentKey = (tenantId: TenantId, stateHash: string): Key => ({
  pk: connectionsPartition(tenantId),
  sk: `CONSENT#${stateHash}`,
});

/** A wait of an execution for a connection. */
export const connectionWaitKey = (
  tenantId: TenantId,
  connectionId: string,
  approvalId: string,
): Key => ({
  pk: connectionsPartition(tenantId),
  sk: `WAIT#${connectionId}#${approvalId}`,
});

export const connectionWaitsList = (tenantId: TenantId, connectionId: string): ListKey => ({
  pk: connectionsPartition(tenantId),
  prefix: `WAIT#${connectionId}#`,
});
