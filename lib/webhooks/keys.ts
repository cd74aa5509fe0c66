import { type Key, type ListKey, shards, tenantPartition, toDay } from "../platform/db/keys.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";

/** The webhook that items belong to. */
export type WebhookKey = { tenantId: TenantId; webhookId: string };

const webhookPartition = (tenantId: TenantId, webhookId: string): string =>
  `TENANT#${tenantId}#WEBHOOK#${webhookId}`;

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

/** Mark of a deleted webhook; sorts before its subscriptions, so that one query reads both. */
export const closedWebhookKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: "SUB",
});

/**
 * Mark of a webhook with executions that wait for its events; sorts after the mark of a deleted webhook and its subscriptions, so
 * that one query reads all of them.
 */
export const awaitedKey = (tenantId: TenantId, webhookId: string): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: "SUBWAITS",
});

/**
 * A partition for each delivery id of the provider, which spreads a webhook's deliveries: the last 62 bits of our id
 * are a digest of the provider's, or random.
 */
const deliveryPartition = (tenantId: TenantId, webhookId: string, id: string): string =>
  `${webhookPartition(tenantId, webhookId)}#DELIVERY#${id.slice(19)}`;

/** The first delivery with a provider's delivery id within 24 hours: its condition deduplicates the others. */
export const deliveryKey = (tenantId: TenantId, webhookId: string, id: string): Key => ({
  pk: deliveryPartition(tenantId, webhookId, id),
  sk: "DELIVERY",
});

/** A duplicate, or an earlier delivery with the same provider's id. */
export const otherDeliveryKey = (tenantId: TenantId, webhookId: string, id: string): Key => ({
  pk: deliveryPartition(tenantId, webhookId, id),
  sk: `DELIVERY#${id}`,
});

/** Entry of a delivery in the listing index, by its id. */
export const listedDeliveryKey = (tenantId: TenantId, webhookId: string, id: string): Key => ({
  pk: webhookPartition(tenantId, webhookId),
  sk: `DELIVERY#${id}`,
});

/** Marks a signed body as received. */
export const signedBodyKey = (tenantId: TenantId, webhookId: string, digest: string): Key => ({
  pk: `${webhookPartition(tenantId, webhookId)}#BODY#${digest}`,
  sk: "BODY",
});

/** Results of a part of a dispatch, or of one subscriber. */
export const deliveryResultsKey = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
  { replayId, part }: { replayId: string | null; part: string },
): Key => ({
  pk: deliveryPartition(tenantId, webhookId, id),
  sk: `RESULT#${id}#${replayId ?? ""}#${part}`,
});

export const webhooksList = (tenantId: TenantId): ListKey => ({
  pk: tenantPartition(tenantId),
  prefix: "WEBHOOK#",
});

export const subscriptionsList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "SUB#",
});

/** The subscriptions, between `closedWebhookKey` and `awaitedKey`. */
export const subscribersList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "SUB",
});

export const subscriberList = (
  tenantId: TenantId,
  subscriber: { type: string; id: string },
): ListKey => ({
  pk: `TENANT#${tenantId}#SUBSCRIBER#${subscriber.type}#${subscriber.id}`,
  prefix: "SUB#",
});

/** Entries of a webhook's deliveries in the listing index. */
export const deliveriesList = (tenantId: TenantId, webhookId: string): ListKey => ({
  pk: webhookPartition(tenantId, webhookId),
  prefix: "DELIVERY#",
});

export const deliveryResultsList = (
  tenantId: TenantId,
  webhookId: string,
  id: string,
): ListKey => ({ pk: deliveryPartition(tenantId, webhookId, id), prefix: `RESULT#${id}#` });

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

/** Entry of a webhook with an expiring listener, by day, in 16 shards that all tenants share. */
export const expiringListenerKey = (
  tenantId: TenantId,
  webhookId: string,
  expiresAt: number,
): Key => ({
  pk: `EXPIRES#${webhookId.slice(-1)}`,
  sk: `${toDay(expiresAt)}#${tenantId}#${webhookId}`,
});

/** Listeners that expire on the day of `until` (Unix milliseconds) or earlier, in 16 shards. */
export const expiringListenersLists = (until: number): readonly (ListKey & { to: string })[] =>
  shards.map((shard) => ({
    pk: `EXPIRES#${shard}`,
    prefix: "",
    to: `${toDay(until)}#~`,
  }));
