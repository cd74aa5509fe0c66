import type { DeliveryItem } from "../webhook/items.ts";
import type { Delivery, DeliveryResult } from "../webhook/schemas.ts";
import { deriveDeliveryStatus } from "./load-outcomes.ts";

/** Returns whether a delivery has not expired; the table deletes expired items days later. */
export const isKept = ({ ttl }: Pick<DeliveryItem, "ttl">, now: number): boolean =>
  ttl * 1_000 > now;

/** Maps a stored delivery to its response. */
export const toDelivery = (item: DeliveryItem, results: readonly DeliveryResult[]): Delivery => ({
  id: item.id,
  eventType: item.eventType,
  deliveryId: item.deliveryId,
  receivedAt: item.receivedAt,
  size: item.size,
  status: deriveDeliveryStatus(item.status, results),
  results: results.map(toResult),
});

/** Maps a stored result to its response. */
export const toResult = ({
  subscriptionId,
  status,
  attempts,
  executionId,
  error,
}: DeliveryResult): DeliveryResult => ({ subscriptionId, status, attempts, executionId, error });
