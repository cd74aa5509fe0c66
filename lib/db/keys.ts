import type { TenantId } from "../tenant/tenant-id.ts";
import { tableAttributes } from "./table.ts";

/** Primary key of an item. */
export type Key = { pk: string; sk: string };

const revisionDigits = (revision: number): string => String(revision).padStart(10, "0");
const tenantPartition = (tenantId: TenantId): string => `TENANT#${tenantId}`;
const agentPartition = (tenantId: TenantId, agentId: string): string =>
  `TENANT#${tenantId}#AGENT#${agentId}`;
const executionPartition = (tenantId: TenantId, executionId: string): string =>
  `TENANT#${tenantId}#EXEC#${executionId}`;

export const tenantKey = (tenantId: string): Key => ({ pk: `TENANT#${tenantId}`, sk: "TENANT" });
export const tenantAliasKey = (slug: string): Key => ({ pk: `TENANT#${slug}`, sk: "ALIAS" });
export const organizationTenantKey = (organizationId: string, slug: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `TENANT#${slug}`,
});

export const apiKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `KEY#${keyId}`,
});
/** Stands while a key is not revoked: what the list of live keys is read from. */
export const liveKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `LIVE#KEY#${keyId}`,
});
export const keyHashKey = (sha256: string): Key => ({ pk: `KEYHASH#${sha256}`, sk: "KEYHASH" });
/** Event ids are version 7 uuids, so they sort by time. */
export const auditEventKey = (keyId: string, eventId: string): Key => ({
  pk: `KEY#${keyId}`,
  sk: `AUDIT#${eventId}`,
});

export const userRateKey = (organizationId: string, userId: string): Key => ({
  pk: `RATE#USER#${organizationId}#${userId}`,
  sk: "RATE",
});
export const addressRateKey = (address: string): Key => ({
  pk: `RATE#ADDRESS#${address}`,
  sk: "RATE",
});

/** `digest` is of what was called, where, and the client's own key. */
export const idempotencyKey = (
  principal: { type: string; organizationId: string; id: string },
  digest: string,
): Key => ({
  pk: `IDEM#${principal.type}#${principal.organizationId}#${principal.id}#${digest}`,
  sk: "IDEM",
});

export const agentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `AGENT#${agentId}`,
});
/** Stands while what a deleted agent left is being removed; its id is not free until then. */
export const deletedAgentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#AGENT#${agentId}`,
});
/** What a revision list shows. */
export const revisionKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `REV#${revisionDigits(revision)}`,
});
/** What a revision holds; apart, so that lists never read it. */
export const revisionContentKey = (tenantId: TenantId, agentId: string, revision: number): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `CONTENT#${revisionDigits(revision)}`,
});
/** Execution ids are version 7 uuids made at startTime: the key sorts, and is found, by time and by id. */
export const executionKey = (tenantId: TenantId, agentId: string, executionId: string): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `EXEC#${executionId}`,
});
export const executionInputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "INPUT",
});
export const executionOutputKey = (tenantId: TenantId, executionId: string): Key => ({
  pk: executionPartition(tenantId, executionId),
  sk: "OUTPUT",
});

/** Counters of a revision: in all, or of one model. Spread over shards, which readers add up. */
export const usageKey = (
  tenantId: TenantId,
  agentId: string,
  counter: { revision: number; shard: number; model?: { providerId: string; modelId: string } },
): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: [
    "USAGE",
    revisionDigits(counter.revision),
    ...(counter.model
      ? [encodeURIComponent(counter.model.providerId), encodeURIComponent(counter.model.modelId)]
      : ["", ""]),
    String(counter.shard),
  ].join("#"),
});
/** What an agent spent in a calendar month (`2026-11`, UTC). Spread over shards. */
export const spendKey = (
  tenantId: TenantId,
  agentId: string,
  month: string,
  shard: number,
): Key => ({
  pk: agentPartition(tenantId, agentId),
  sk: `SPEND#${month}#${shard}`,
});

/** A partition and the beginning of its sort keys: what a list is read from. */
export type ListKey = { pk: string; prefix: string };

export const organizationTenantsList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "TENANT#",
});
export const apiKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "KEY#",
});
export const liveKeysList = (organizationId: string): ListKey => ({
  pk: `ORG#${organizationId}`,
  prefix: "LIVE#KEY#",
});
export const auditEventsList = (keyId: string): ListKey => ({
  pk: `KEY#${keyId}`,
  prefix: "AUDIT#",
});
export const agentsList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "AGENT#",
});
export const revisionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "REV#",
});
export const executionsList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "EXEC#",
});
export const revisionUsageList = (
  tenantId: TenantId,
  agentId: string,
  revision: number,
): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: `USAGE#${revisionDigits(revision)}#`,
});
export const agentUsageList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "USAGE#",
});
/** Everything that hangs on an agent. */
export const agentChildrenList = (tenantId: TenantId, agentId: string): ListKey => ({
  pk: agentPartition(tenantId, agentId),
  prefix: "",
});
/** Everything that hangs on an execution. */
export const executionChildrenList = (tenantId: TenantId, executionId: string): ListKey => ({
  pk: executionPartition(tenantId, executionId),
  prefix: "",
});

/** The key of an item that lists by skipping: it stands in the listing index under the same key. */
export const listed = (key: Key): Key & Record<string, string> => ({
  ...key,
  [tableAttributes.indexPartitionKey]: key.pk,
  [tableAttributes.indexSortKey]: key.sk,
});
