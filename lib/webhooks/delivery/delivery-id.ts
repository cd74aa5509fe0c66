import { createHash } from "node:crypto";
import { type Runtime, uuidAt } from "../../platform/runtime/runtime.ts";

/**
 * Creates the id of a received delivery. It ends with a digest of the provider's delivery id, so that deliveries
 * with the same one share a partition; without one, it is random.
 */
export const newDeliveryId = (
  { clock, randomBytes }: Runtime,
  webhookId: string,
  deliveryId: string | null,
): string => {
  const bytes = Buffer.from(randomBytes(10));
  if (deliveryId !== null) hashDeliveryId(webhookId, deliveryId).copy(bytes, 2, 0, 8);
  return uuidAt(clock(), bytes);
};

const hashDeliveryId = (webhookId: string, deliveryId: string): Buffer =>
  createHash("sha256").update(`${webhookId}/${deliveryId}`).digest().subarray(0, 8);
