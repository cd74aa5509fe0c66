import type { EventDestinationItem } from "./items.ts";
import type { EventDestination } from "./schemas.ts";

/** The public shape of a stored destination; with its signing secret only when that was just made. */
export const toEventDestination = (
  item: EventDestinationItem,
  signingSecret: string | null = null,
): EventDestination => ({
  id: item.id,
  url: item.url,
  eventTypes: item.eventTypes,
  description: item.description,
  active: item.active,
  lastDelivery: item.lastDelivery,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
  signingSecret,
});
