import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import type { Key } from "../../platform/db/keys.ts";
import { listIndex } from "../../platform/db/list-index.ts";
import { listIndexedPage } from "../../platform/db/list-indexed-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { uuidRange } from "../../platform/db/uuid-range.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { deliveriesList, deliveryKey, listedDeliveryKey, otherDeliveryKey } from "../keys.ts";
import { DeliveryItem } from "../webhook/items.ts";

/** Time in which deliveries are deduplicated. */
export const dayMs = 86_400_000;

/** A delivery with its key. */
export const StoredDelivery = DeliveryItem.extend({ pk: z.string(), sk: z.string() });
export type StoredDelivery = z.output<typeof StoredDelivery>;

/**
 * Outcome of storing a received delivery: stored by this call or, "known", by an earlier attempt. "duplicate": the
 * provider sent its delivery id within 24 hours before.
 */
export type ClaimedDelivery = { outcome: "new" | "known" | "duplicate"; delivery: StoredDelivery };

/**
 * Stores a received delivery once. Deliveries with the same id of the provider have the same key,
 * so that the condition of the write deduplicates them for 24 hours; after that the earlier one is
 * moved to a key of its own. A duplicate is stored as one.
 */
export const claimDelivery = async (
  db: Database,
  tenantId: TenantId,
  item: DeliveryItem,
): Promise<ClaimedDelivery> => {
  const delivery = stored(tenantId, deliveryKey(tenantId, item.webhookId, item.id), item);
  const { written, item: found } = await putItem(db, { Item: delivery, ...ifNew });
  if (written) return { outcome: "new", delivery };
  const before = StoredDelivery.parse(found);
  if (before.id === item.id) return { outcome: "known", delivery: before };
  // A digest may collide.
  if (before.deliveryId !== item.deliveryId) return putOther(db, tenantId, item);
  if (before.receivedAt + dayMs > item.receivedAt) return putDuplicate(db, tenantId, item);
  const outcome = await transact(db, [
    {
      Put: {
        Item: delivery,
        ConditionExpression: "id = :before",
        ExpressionAttributeValues: { ":before": before.id },
      },
    },
    {
      Put: {
        Item: stored(
          tenantId,
          otherDeliveryKey(tenantId, before.webhookId, before.id),
          DeliveryItem.parse(before),
        ),
      },
    },
  ]);
  return outcome.written ? { outcome: "new", delivery } : claimDelivery(db, tenantId, item);
};

/** Stores a duplicate of a delivery, or returns the delivery if it was stored as none before. */
export const putDuplicate = async (
  db: Database,
  tenantId: TenantId,
  item: DeliveryItem,
): Promise<ClaimedDelivery> => {
  const duplicate = { ...item, status: "Duplicate" as const, targets: [], parts: 0 };
  const { delivery } = await putOther(db, tenantId, duplicate);
  return { outcome: delivery.status === "Duplicate" ? "duplicate" : "known", delivery };
};

/** Stores a delivery at a key of its own. */
const putOther = async (
  db: Database,
  tenantId: TenantId,
  item: DeliveryItem,
): Promise<ClaimedDelivery> => {
  const delivery = stored(tenantId, otherDeliveryKey(tenantId, item.webhookId, item.id), item);
  const { written, item: found } = await putItem(db, { Item: delivery, ...ifNew });
  return written
    ? { outcome: "new", delivery }
    : { outcome: "known", delivery: StoredDelivery.parse(found) };
};

/** Adds the key, and the entry in the listing index that sorts by the delivery's id. */
export const stored = (tenantId: TenantId, key: Key, item: DeliveryItem) => {
  const entry = listedDeliveryKey(tenantId, item.webhookId, item.id);
  return {
    ...key,
    [tableAttributes.indexPartitionKey]: entry.pk,
    [tableAttributes.indexSortKey]: entry.sk,
    ...item,
  };
};

/** TENANT#t#WEBHOOK#w#DELIVERY#d / DELIVERY: one delivery, also when it has expired. */
export const getDelivery = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
): Promise<StoredDelivery | undefined> => {
  const first = await getItem(db, deliveryKey(tenantId, webhookId, id), StoredDelivery);
  if (first?.id === id) return first;
  return getItem(db, otherDeliveryKey(tenantId, webhookId, id), StoredDelivery);
};

/** Listing index, TENANT#t#WEBHOOK#w / DELIVERY#…: a page of a webhook's deliveries, newest first. */
export const listDeliveries = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  page: PageRequest,
) =>
  listIndexedPage(
    db,
    StoredDelivery,
    { list: deliveriesList(tenantId, webhookId), newestFirst: true },
    page,
  );

/** Index, TENANT#t#WEBHOOK#w / DELIVERY#…: lists a webhook's deliveries, oldest first, from a time or after one of them. */
export async function* listDeliveriesFrom(
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  { from, after }: { from: number; after: string | undefined },
): AsyncGenerator<StoredDelivery> {
  const list = deliveriesList(tenantId, webhookId);
  const range = uuidRange(list.prefix, from, undefined);
  const between =
    after === undefined
      ? range
      : { ...range, from: listedDeliveryKey(tenantId, webhookId, after).sk };
  for await (const keys of listIndex(db, { list, between })) {
    for (const item of await getItems(db, keys, StoredDelivery)) {
      if (item && item.id !== after) yield item;
    }
  }
}

/** Records that a delivery has further results than those of its first dispatch. */
export const flagMoreResults = async (
  db: Database,
  { pk, sk, hasMoreResults }: Pick<StoredDelivery, "pk" | "sk" | "hasMoreResults">,
): Promise<void> => {
  if (hasMoreResults) return;
  await updateItem(db, patch({ pk, sk }, { set: { hasMoreResults: true } }));
};
