import { tableAttributes } from "./table.ts";
import type { TenantId } from "./tenant-id.ts";

/** Primary key of an item. */
export type Key = { pk: string; sk: string };

/** A partition and the prefix of the sort keys that a list reads. */
export type ListKey = { pk: string; prefix: string };

/** Sixteen shards, one per hexadecimal digit, of a partition that all tenants share. */
export const shards: readonly string[] = [..."0123456789abcdef"];

/** Returns the partition of a tenant. */
export const tenantPartition = (tenantId: TenantId): string => `TENANT#${tenantId}`;

/** Returns the partition of an agent. */
export const agentPartition = (tenantId: TenantId, agentId: string): string =>
  `TENANT#${tenantId}#AGENT#${agentId}`;

/** Returns the key of an agent's item, on which transactions of every area check that the agent exists. */
export const agentKey = (tenantId: TenantId, agentId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `AGENT#${agentId}`,
});

/** Returns the key of a webhook, which revisions may name. */
export const webhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `WEBHOOK#${webhookId}`,
});

/** Formats a revision number so that keys sort by it. */
export const revisionDigits = (revision: number): string => String(revision).padStart(10, "0");

/** Formats the day (UTC) of a time in Unix milliseconds, so that keys sort by it. */
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the calendar month (`2026-11`, UTC) of a time in Unix milliseconds. */
export const toMonth = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** Returns start (inclusive) and end (exclusive) of the UTC month of a time, Unix milliseconds. */
export const toMonthPeriod = (time: number): { periodStart: number; periodEnd: number } => {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { periodStart: Date.UTC(year, month), periodEnd: Date.UTC(year, month + 1) };
};

/** Adds the attributes by which an item is in the listing index, for lists that page by skipping. */
export const listed = (key: Key): Key & Record<string, string> => ({
  ...key,
  [tableAttributes.indexPartitionKey]: key.pk,
  [tableAttributes.indexSortKey]: key.sk,
});
