import { createHash } from "node:crypto";
import * as z from "zod";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { getItems } from "../../platform/db/get-items.ts";
import type { Key } from "../../platform/db/keys.ts";
import { listIndexedPage } from "../../platform/db/list-indexed-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import { tableAttributes } from "../../platform/db/table.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import {
  deliveriesList,
  deliveryKey,
  earlierDeliveryKey,
  otherDeliveryKey,
  seenDeliveryKey,
  type WebhookPlace,
} from "../keys.ts";
import { DeliveryItem } from "../webhook/items.ts";

const dayMs = 86_400_000;
/** Longer provider ids are hashed: a sort key holds 1,024 bytes. */
const maxPlainIdLength = 200;

/** Returns the expiry of a delivery's items in Unix seconds: 30 days after it was received. */
export const deliveryTtl = (receivedAt: number): number =>
  Math.ceil((receivedAt + 30 * dayMs) / 1_000);

/** A delivery with its key. */
export const StoredDelivery = DeliveryItem.extend({ pk: z.string(), sk: z.string() });
export type StoredDelivery = z.output<typeof StoredDelivery>;

/**
 * Outcome of storing a received delivery: stored by this call or, "known", by an earlier attempt. "duplicate": the
 * provider sent its delivery id within 24 hours before.
 */
export type ClaimedDelivery = { outcome: "new" | "known" | "duplicate"; delivery: StoredDelivery };

/**
 * Stores a received delivery once. Deliveries with the same id of the provider share a key, whose condition
 * deduplicates them for 24 hours; after that the earlier one is moved to a key of its own. A duplicate is stored as
 * one.
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
const stored = (tenantId: TenantId, key: Key, item: DeliveryItem) => {
  const entry = earlierDeliveryKey(tenantId, item.webhookId, item.id);
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
  const elsewhere = [otherDeliveryKey, earlierDeliveryKey].map((key) =>
    key(tenantId, webhookId, id),
  );
  return (await getItems(db, elsewhere, StoredDelivery)).find((found) => found !== undefined);
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

/** Records that a delivery has results besides those of its first dispatch. */
export const flagMoreResults = async (
  db: Database,
  { pk, sk, hasMoreResults }: Pick<StoredDelivery, "pk" | "sk" | "hasMoreResults">,
): Promise<void> => {
  if (hasMoreResults) return;
  await updateItem(db, patch({ pk, sk }, { set: { hasMoreResults: true } }));
};

/** Returns whether a delivery was stored before deliveries had partitions of their own. */
export const isEarlierForm = ({ pk, sk, id }: Pick<StoredDelivery, "pk" | "sk" | "id">): boolean =>
  sk === `DELIVERY#${id}` && !pk.includes("#DELIVERY#");

/** Mark of a provider's delivery id; another delivery is a duplicate until `until`, Unix milliseconds. */
export const SeenItem = z.object({ id: z.string(), until: z.int() });

/** Returns the key of the mark of a provider's delivery id. */
export const seenKey = (tenantId: TenantId, webhookId: string, deliveryId: string): Key =>
  seenDeliveryKey(tenantId, webhookId, shortId(deliveryId));

/**
 * Marks the provider's delivery id of a delivery as seen for 24 hours: "same" when this delivery marked it before,
 * "seen" when another one did. Only for messages queued before ids were derived from the provider's.
 */
export const markDeliverySeen = async (
  db: Database,
  { tenantId, webhookId }: WebhookPlace,
  deliveryId: string,
  { id, now }: { id: string; now: number },
): Promise<"new" | "same" | "seen"> => {
  const until = now + dayMs;
  const { written, item } = await putItem(db, {
    Item: {
      ...seenKey(tenantId, webhookId, deliveryId),
      id,
      until,
      ttl: Math.ceil(until / 1_000),
    },
    ConditionExpression: "attribute_not_exists(pk) OR #until <= :now",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": now },
  });
  if (written) return "new";
  return item?.id === id ? "same" : "seen";
};

const shortId = (deliveryId: string): string =>
  deliveryId.length <= maxPlainIdLength
    ? deliveryId
    : `sha256:${createHash("sha256").update(deliveryId).digest("hex")}`;
