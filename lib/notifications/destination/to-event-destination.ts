import type { EventDestinationItem } from "./items.ts";
import type { EventDestination } from "./schemas.ts";

/** Maps a stored destination to its response, with the signing secret only when it was just created. */
export const toEventDestination = (
  item: EventDestinationItem,
  signingSecret: string | null = null,
): EventDestination => ({
  id: item.id,
  type: item.type,
  url: item.url,
  endpoint: item.type === "otlp" ? item.url : null,
  headerNames: item.headerNames,
  content: item.content,
  eventTypes: item.eventTypes,
  description: item.description,
  active: item.active,
  lastDelivery: item.lastDelivery,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
  signingSecret,
});
