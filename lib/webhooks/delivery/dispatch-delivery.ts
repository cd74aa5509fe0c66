import type { Database } from "../../platform/db/database.ts";
import type { SendMany } from "../../platform/queue/send.ts";
import type { DispatchDeliveryMessage, NotifySubscriberMessage } from "../messages.ts";
import type { DeliveryItem } from "../webhook/items.ts";
import {
  deliveryTtl,
  getDelivery,
  getWebhook,
  listSubscriptions,
  markSeen,
  putDelivery,
  setDeliveryStatus,
} from "../webhook/store.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { fromQueued } from "./queued-value.ts";

/**
 * Stores a delivery and queues one notification per matching subscription. Idempotent. A duplicate within 24 hours
 * is stored but not dispatched; a delivery whose webhook was deleted is dropped.
 */
export const dispatchDelivery = async (
  { db, sendMany }: { db: Database; sendMany: SendMany },
  message: DispatchDeliveryMessage,
): Promise<void> => {
  const { tenantId, webhookId, id, replayId } = message;
  const webhook = await getWebhook(db, tenantId, webhookId);
  if (!webhook) return;
  const delivery = message.content
    ? toItem(message, message.content)
    : await getDelivery(db, tenantId, webhookId, id);
  if (!delivery) return;
  if (message.content && (await wasSeen(db, message, delivery))) {
    await putDelivery(db, tenantId, { ...delivery, status: "Duplicate" });
    return;
  }
  const subscriptions = await listSubscriptions(db, tenantId, webhookId);
  const notifications = subscriptions
    .filter((subscription) => isSubscribed(subscription, delivery, message.subscriptionId))
    .map(
      (subscription): NotifySubscriberMessage => ({
        type: "notify-subscriber",
        tenantId,
        webhookId,
        id,
        subscriptionId: subscription.id,
        ...(replayId !== undefined && { replayId }),
      }),
    );
  const hasNoSubscriber = notifications.length === 0;
  if (message.content) {
    const status = hasNoSubscriber ? "Dispatched" : "Accepted";
    await putDelivery(db, tenantId, { ...delivery, status });
  }
  if (hasNoSubscriber) return;
  await sendMany("subscribers", tenantId, notifications);
  await setDeliveryStatus(db, tenantId, webhookId, id, "Dispatched");
};

const toItem = (
  { webhookId, id }: DispatchDeliveryMessage,
  content: NonNullable<DispatchDeliveryMessage["content"]>,
): DeliveryItem => ({
  id,
  webhookId,
  provider: content.provider,
  eventType: content.eventType,
  deliveryId: content.deliveryId,
  receivedAt: content.receivedAt,
  size: content.size,
  headers: content.headers,
  payload: fromQueued(content.payload),
  status: "Accepted",
  ttl: deliveryTtl(content.receivedAt),
});

const wasSeen = async (
  db: Database,
  { tenantId, webhookId, id }: DispatchDeliveryMessage,
  { deliveryId, receivedAt }: DeliveryItem,
): Promise<boolean> => {
  if (deliveryId === null) return false;
  const seen = await markSeen(db, tenantId, webhookId, deliveryId, { id, now: receivedAt });
  return seen === "seen";
};
