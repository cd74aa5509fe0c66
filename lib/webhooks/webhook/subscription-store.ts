import * as z from "zod";
import { connectorKey } from "../../chat/keys.ts";
import { assetKey } from "../../knowledge/keys.ts";
import { checkExists } from "../../platform/db/conditions.ts";
import type { Database } from "../../platform/db/database.ts";
import { getItem } from "../../platform/db/get-item.ts";
import { agentKey, type Key, webhookKey } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { transact } from "../../platform/db/transact.ts";
import { subscriberKey, subscribersList, subscriptionKey, subscriptionsList } from "../keys.ts";
import { SubscriptionItem, sizeOfSubscription } from "./items.ts";

/** Maximum subscriptions per webhook: the list is returned whole. */
export const maxSubscriptions = 2_000;
/** Maximum JSON bytes of a webhook's subscriptions together. */
export const maxSubscriptionBytes = 4_000_000;

/** `input` is stored as JSON text: DynamoDB limits numbers and nesting. */
export const StoredSubscription = SubscriptionItem.extend({
  input: z.string().transform((json): unknown => JSON.parse(json)),
});

const toStored = (item: SubscriptionItem) => ({ ...item, input: JSON.stringify(item.input) });

/** TENANT#t#WEBHOOK#w / SUB#…: a webhook's subscriptions, oldest first. */
export const listSubscriptions = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<SubscriptionItem[]> =>
  Array.fromAsync(listAll(db, StoredSubscription, subscriptionsList(tenantId, webhookId)));

const Closed = z.object({ sk: z.literal("SUB") }).transform(() => "closed" as const);

const Awaited = z
  .object({ sk: z.literal("SUBWAITS"), token: z.string() })
  .transform(({ token }) => ({ awaited: token }));

/** Receivers of a delivery. `awaited`: the token of the mark that executions wait for events; undefined for none. */
export type OpenSubscriptions = { subscriptions: SubscriptionItem[]; awaited: string | undefined };

/**
 * TENANT#t#WEBHOOK#w / SUB…: the subscriptions that a delivery may go to, oldest first, and whether executions wait;
 * undefined once the webhook was deleted.
 */
export const listOpenSubscriptions = async (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
): Promise<OpenSubscriptions | undefined> => {
  const list = subscribersList(tenantId, webhookId);
  const subscriptions: SubscriptionItem[] = [];
  let awaited: string | undefined;
  for await (const item of listAll(db, z.union([Closed, Awaited, StoredSubscription]), list)) {
    if (item === "closed") return undefined;
    if ("awaited" in item) awaited = item.awaited;
    else subscriptions.push(item);
  }
  return { subscriptions, awaited };
};

/** TENANT#t#WEBHOOK#w / SUB#id: one subscription. */
export const getSubscription = (
  db: Database,
  tenantId: TenantId,
  webhookId: string,
  subscriptionId: string,
): Promise<SubscriptionItem | undefined> =>
  getItem(db, subscriptionKey(tenantId, webhookId, subscriptionId), StoredSubscription);

const keyOfSubscriber = (
  tenantId: TenantId,
  { subscriberType, subscriberId }: SubscriptionItem,
): Key => {
  switch (subscriberType) {
    case "Agent":
      return agentKey(tenantId, subscriberId);
    case "Asset":
      return assetKey(tenantId, subscriberId);
    case "Connector":
      return connectorKey(tenantId, subscriberId);
  }
};

/**
 * Writes a new subscription and its mirror under the subscriber. Refused when the webhook was deleted or is full,
 * or the subscriber does not exist.
 */
export const putSubscription = async (
  db: Database,
  tenantId: TenantId,
  item: SubscriptionItem,
): Promise<"written" | "no-webhook-or-full" | "no-subscriber"> => {
  const subscriber = { type: item.subscriberType, id: item.subscriberId };
  const bytes = sizeOfSubscription(item);
  const outcome = await transact(db, [
    {
      Put: {
        Item: {
          ...subscriptionKey(tenantId, item.webhookId, item.id),
          ...toStored(item),
        },
      },
    },
    {
      Put: {
        Item: {
          ...subscriberKey(tenantId, subscriber, item.id),
          ...subscriber,
          subscriptionId: item.id,
          webhookId: item.webhookId,
          bytes,
        },
      },
    },
    {
      Update: {
        Key: webhookKey(tenantId, item.webhookId),
        UpdateExpression: "ADD subscriptions :one, subscriptionBytes :bytes",
        ConditionExpression:
          "attribute_exists(pk) AND (attribute_not_exists(subscriptions) OR (subscriptions < :most AND subscriptionBytes <= :maxBytesBefore))",
        ExpressionAttributeValues: {
          ":one": 1,
          ":bytes": bytes,
          ":most": maxSubscriptions,
          ":maxBytesBefore": maxSubscriptionBytes - bytes,
        },
      },
    },
    checkExists(keyOfSubscriber(tenantId, item)),
  ]);
  if (outcome.written) return "written";
  return outcome.failed[2] ? "no-webhook-or-full" : "no-subscriber";
};

/**
 * Replaces a subscription by its changed form; "changed" when it is no longer `before`, "full" when the webhook's
 * subscriptions would be too large.
 */
export const replaceSubscription = async (
  db: Database,
  tenantId: TenantId,
  before: SubscriptionItem,
  after: SubscriptionItem,
): Promise<"written" | "changed" | "full"> => {
  const subscriber = { type: before.subscriberType, id: before.subscriberId };
  const bytes = sizeOfSubscription(after);
  const more = bytes - sizeOfSubscription(before);
  const outcome = await transact(db, [
    {
      Put: {
        Item: {
          ...subscriptionKey(tenantId, after.webhookId, after.id),
          ...toStored(after),
        },
        ConditionExpression: "modifiedAt = :before",
        ExpressionAttributeValues: { ":before": before.modifiedAt },
      },
    },
    {
      Update: {
        Key: subscriberKey(tenantId, subscriber, after.id),
        UpdateExpression: "SET #bytes = :bytes",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#bytes": "bytes" },
        ExpressionAttributeValues: { ":bytes": bytes },
      },
    },
    {
      Update: {
        Key: webhookKey(tenantId, after.webhookId),
        UpdateExpression: "ADD subscriptionBytes :more",
        ConditionExpression: "attribute_exists(pk) AND subscriptionBytes <= :maxBytesBefore",
        ExpressionAttributeValues: {
          ":more": more,
          ":maxBytesBefore": maxSubscriptionBytes - Math.max(0, more),
        },
      },
    },
  ]);
  if (outcome.written) return "written";
  return outcome.failed[0] || outcome.failed[1] ? "changed" : "full";
};
