import { createHash } from "node:crypto";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deliveriesList, deliveryKey, listed, seenDeliveryKey } from "../../platform/db/keys.ts";
import { listPage } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { PageRequest } from "../../platform/http/paging.ts";
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
  try {
    const ConditionExpression = "attribute_not_exists(pk)";
    await db.client.send(new PutCommand({ TableName: db.table, Item, ConditionExpression }));
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "known";
    throw error;
  }
};

/** TENANT#t#WEBHOOK#w / DELIVERY#id: one delivery, also when it has expired. */
export const getDelivery = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  id: string,
): Promise<DeliveryItem | undefined> => {
  const Key = deliveryKey(tenantId, webhookId, id);
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  return Item && DeliveryItem.parse(Item);
};

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
  try {
    await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: deliveryKey(tenantId, webhookId, id),
        UpdateExpression: "SET #status = :status",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#status": "status" },
        ExpressionAttributeValues: { ":status": status },
      }),
    );
    return "written";
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return "gone";
    throw error;
  }
};

const Seen = z.object({ id: z.object({ S: z.string() }) });

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
  try {
    await db.client.send(
      new PutCommand({
        TableName: db.table,
        Item: {
          ...seenDeliveryKey(tenantId, webhookId, shortId(deliveryId)),
          id,
          until,
          ttl: Math.ceil(until / 1_000),
        },
        ConditionExpression: "attribute_not_exists(pk) OR #until <= :now",
        ExpressionAttributeNames: { "#until": "until" },
        ExpressionAttributeValues: { ":now": now },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return "new";
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return Seen.parse(error.Item).id.S === id ? "same" : "seen";
  }
};

const shortId = (deliveryId: string): string =>
  deliveryId.length <= longestPlainId
    ? deliveryId
    : `sha256:${createHash("sha256").update(deliveryId).digest("hex")}`;
