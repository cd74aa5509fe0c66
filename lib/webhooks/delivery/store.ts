import { createHash } from "node:crypto";
import { ifNew } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { listed } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import { patch } from "../../platform/db/patch-item.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
import { deliveriesList, deliveryKey, seenDeliveryKey } from "../keys.ts";
import { DeliveryItem } from "../webhook/items.ts";

const dayMs = 86_400_000;
/** How long a provider's delivery id is deduplicated. */
const seenMs = dayMs;
/** Longer provider ids are hashed: a sort key holds 1,024 bytes. */
const longestPlainId = 200;

/** Returns the expiry of a delivery's items in Unix seconds: 30 days after it was received. */
export const deliveryTtl = (receivedAt: number): number =>
  Math.ceil((receivedAt + 30 * dayMs) / 1_000);

/** Writes a delivery once; an existing one is unchanged. */
export const putDelivery = async (
  db: Database,
  tenantId: TenantId,
  item: DeliveryItem,
): Promise<"written" | "known"> => {
  const Item = { ...listed(deliveryKey(tenantId, item.webhookId, item.id)), ...item };
  return (await putItem(db, { Item, ...ifNew })).written ? "written" : "known";
};

/** TENANT#t#WEBHOOK#w / DELIVERY#id: one delivery, also when it has expired. */
export const getDelivery = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
): Promise<DeliveryItem | undefined> =>
  getItem(db, deliveryKey(tenantId, webhookId, id), DeliveryItem);

/** TENANT#t#WEBHOOK#w / DELIVERY#…: a page of a webhook's deliveries, newest first. */
export const listDeliveries = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  page: PageRequest,
) =>
  listPage(
    db,
    DeliveryItem,
    { list: deliveriesList(tenantId, webhookId), newestFirst: true },
    page,
  );

/** Sets a delivery's status; "gone" when it does not exist. */
export const setDeliveryStatus = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
  status: DeliveryItem["status"],
): Promise<"written" | "gone"> => {
  const key = deliveryKey(tenantId, webhookId, id);
  const { written } = await updateItem(db, patch(key, { set: { status } }));
  return written ? "written" : "gone";
};

/**
 * Marks a provider's delivery id as seen for 24 hours from `now` (Unix milliseconds): "same" when this delivery
 * marked it before, "seen" when another one did.
 */
export const markSeen = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  deliveryId: string,
  { id, now }: { id: string; now: number },
): Promise<"new" | "same" | "seen"> => {
  const until = now + seenMs;
  const { written, item } = await putItem(db, {
    Item: {
      ...seenDeliveryKey(tenantId, webhookId, shortId(deliveryId)),
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
  deliveryId.length <= longestPlainId
    ? deliveryId
    : `sha256:${createHash("sha256").update(deliveryId).digest("hex")}`;
