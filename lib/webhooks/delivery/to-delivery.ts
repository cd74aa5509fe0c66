import type { DeliveryItem } from "../webhook/items.ts";
import type { Delivery, DeliveryResult } from "../webhook/schemas.ts";
import { statusOf } from "./tell-outcomes.ts";

/** Whether a delivery's time is not over yet; the table removes those whose time is some day later. */
export const isKept = ({ ttl }: Pick<DeliveryItem, "ttl">, now: number): boolean =>
  ttl * 1_000 > now;

/** The public shape of a stored delivery. */
export const toDelivery = (item: DeliveryItem, results: readonly DeliveryResult[]): Delivery => ({
  id: item.id,
  eventType: item.eventType,
  deliveryId: item.deliveryId,
  receivedAt: item.receivedAt,
  size: item.size,
  status: statusOf(item.status, results),
  results: results.map(({ subscriptionId, status, attempts, executionId, error }) => ({
    subscriptionId,
    status,
    attempts,
    executionId,
    error,
  })),
});
