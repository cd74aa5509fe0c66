import { dayOf, type Key, type ListKey, shards, tenantPartition } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

const webhookPartition = (tenantId: TenantId, webhookId: string): string =>
  `TENANT#${tenantId}#WEBHOOK#${webhookId}`;

export const webhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `WEBHOOK#${webhookId}`,
});

/** Tombstone: exists until the records of a deleted webhook are removed. */
export const deletedWebhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `DELETED#WEBHOOK#${webhookId}`,
});

export const subscriptionKey = (
  tenantId: TenantId,
  webhookId: string,
  subscriptionId: string,
): Key => ({ pk: webhookPartition(tenantId, webhookId), sk: `SUB#${subscriptionId}` });

/** Points from a subscriber to its subscription. */
export const subscriberKey = (
  tenantId: TenantId,
  subscriber: { type: string; id: string },
  subscriptionId: string,
): Key => ({
  pk: `TENANT#${tenantId}#SUBSCRIBER#${subscriber.type}#${subscriber.id}`,
  sk: `SUB#${subscriptionId}`,
});

/** Delivery ids are version 7 UUIDs: keys sort by time. */
export const deliveryKey = (tenantId: TenantId, webhookId: string, id: string): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: `DELIVERY#${id}`,
});

/** Deduplicates a provider's delivery id for 24 hours. */
export const seenDeliveryKey = (
  tenantId: TenantId,
  webhookId: string,
  deliveryId: string,
): Key => ({ pk: webhookPartition(tenantId, webhookId), sk: `SEEN#${deliveryId}` });

/** Result of a delivery at one subscriber. */
export const deliveryResultKey = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
  { subscriptionId, replayId }: { subscriptionId: string; replayId: string | null },
): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: `RESULT#${id}#${subscriptionId}${replayId === null ? "" : `#${replayId}`}`,
});

export const webhooksList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "WEBHOOK#",
});

export const subscriptionsList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "SUB#",
});

export const subscriberList = (
  tenantId: TenantId,
  subscriber: { type: string; id: string },
): ListKey => ({
  pk: `TENANT#${tenantId}#SUBSCRIBER#${subscriber.type}#${subscriber.id}`,
  prefix: "SUB#",
});

export const deliveriesList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "DELIVERY#",
});

export const deliveryResultsList = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
): ListKey => ({ pk: webhookPartition(tenantId, webhookId), prefix: `RESULT#${id}#` });

/** All items of a webhook. */
export const webhookChildrenList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "",
});

/** Lease of registering a webhook's listener at its provider. */
export const registeringKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: tenantPartition(tenantId),
  sk: `REGISTERING#${webhookId}`,
});

/** Entry of a webhook whose listener expires, by day, in 16 shards that all tenants share. */
export const expiringListenerKey = (
  tenantId: TenantId,
  webhookId: string,
  expiresAt: number,
): Key => ({
  pk: `EXPIRES#${webhookId.slice(-1)}`,
  sk: `${dayOf(expiresAt)}#${tenantId}#${webhookId}`,
});

/** Listeners that expire on the day of `until` (Unix milliseconds) or earlier, in 16 shards. */
export const expiringListenersLists = (until: number): readonly (ListKey & { to: string })[] =>
  shards.map((shard) => ({
    pk: `EXPIRES#${shard}`,
    prefix: "",
    to: `${dayOf(until)}#~`,
  }));
