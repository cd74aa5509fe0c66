import type { DeliveryItem, SubscriptionItem } from "../webhook/items.ts";

/** Returns whether a delivery goes to a subscription, by its event types; `only` narrows it to one subscription. */
export const isSubscribed = (
  { id, eventTypes }: Pick<SubscriptionItem, "id" | "eventTypes">,
  { eventType }: Pick<DeliveryItem, "eventType">,
  only?: string,
): boolean => {
  if (only !== undefined && only !== id) return false;
  const takesAll = eventTypes === null || eventTypes.length === 0;
  return takesAll || (eventType !== null && eventTypes.includes(eventType));
};
