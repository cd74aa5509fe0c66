import type { DeliveryItem } from "../webhook/items.ts";
import type { Delivery, DeliveryResult } from "../webhook/schemas.ts";
import { deriveDeliveryStatus } from "./load-outcomes.ts";

/** Maps a stored delivery to its response. */
export const toDelivery = (item: DeliveryItem, results: readonly DeliveryResult[]): Delivery => ({
  id: item.id,
  eventType: item.eventType,
  deliveryId: item.deliveryId,
  receivedAt: item.receivedAt,
  size: item.size,
  status: deriveDeliveryStatus(item.status, results),
  matched: isMatched(item, results),
  results: results.map(toDeliveryResult),
});

/** Returns whether a subscription matches a delivery; null while that is not known. */
const isMatched = (
  { status, parts, hasMoreResults }: DeliveryItem,
  results: readonly Pick<DeliveryResult, "status" | "error">[],
): boolean | null => {
  if (status === "Accepted" || status === "Duplicate") return null;
  // A connector skips messages that its subscription matches, and says why.
  if (results.some((result) => result.status !== "Skipped" || result.error !== null)) return true;
  const mayHaveMore = parts > 0 || hasMoreResults;
  return results.length === 0 && mayHaveMore ? null : false;
};

/** Maps a stored result to its response. */
export const toDeliveryResult = ({
  subscriptionId,
  status,
  attempts,
  executionId,
  error,
}: DeliveryResult): DeliveryResult => ({ subscriptionId, status, attempts, executionId, error });
