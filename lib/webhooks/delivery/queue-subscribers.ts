import type { Send, SendMany } from "../../platform/queue/send.ts";
import {
  type DispatchDeliveryMessage,
  type MatchWaitsMessage,
  maxSubscriptionsPerMessage,
  type NotifySubscribersMessage,
} from "../messages.ts";
import type { SubscriptionItem } from "../webhook/items.ts";

/** Queues the waits of executions that a stored delivery may end; none without the mark of the webhook. */
export const queueMatch = async (
  send: Send,
  { tenantId, webhookId, id }: DispatchDeliveryMessage,
  awaited: string | undefined,
): Promise<void> => {
  if (awaited === undefined) return;
  const message: MatchWaitsMessage = { type: "match-waits", tenantId, webhookId, id, awaited };
  await send("subscribers", tenantId, message);
};

/** Queues subscribers to be notified together, ten to a message. */
export const queueInParts = async (
  sendMany: SendMany,
  { tenantId, webhookId, id, replayId }: DispatchDeliveryMessage,
  subscriptions: readonly SubscriptionItem[],
): Promise<void> => {
  const count = Math.ceil(subscriptions.length / maxSubscriptionsPerMessage);
  const messages = Array.from({ length: count }, (_, at): NotifySubscribersMessage => {
    const start = at * maxSubscriptionsPerMessage;
    const members = subscriptions.slice(start, start + maxSubscriptionsPerMessage);
    return {
      type: "notify-subscribers",
      tenantId,
      webhookId,
      id,
      ...(replayId !== undefined && { replayId }),
      subscriptions: members.map((subscription) => ({
        id: subscription.id,
        agentId: subscription.subscriberType === "Agent" ? subscription.subscriberId : null,
      })),
      part: at + 1,
    };
  });
  if (messages.length > 0) await sendMany("subscribers", tenantId, messages);
};
