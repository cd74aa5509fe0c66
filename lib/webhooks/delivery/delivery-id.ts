import { createHash } from "node:crypto";
import { type Runtime, uuidAt } from "../../platform/runtime/runtime.ts";

/** Where the digest starts in an id, which is a version 7 UUID. */
const digestAt = 19;

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
  if (deliveryId !== null) digestOf(webhookId, deliveryId).copy(bytes, 2, 0, 8);
  return uuidAt(clock(), bytes);
};

/** Returns whether an id ends with the digest of the provider's delivery id. */
export const endsWithDigest = (id: string, webhookId: string, deliveryId: string): boolean => {
  const random = Buffer.concat([Buffer.alloc(2), digestOf(webhookId, deliveryId)]);
  return id.slice(digestAt) === uuidAt(0, random).slice(digestAt);
};

const digestOf = (webhookId: string, deliveryId: string): Buffer =>
  createHash("sha256").update(`${webhookId}/${deliveryId}`).digest().subarray(0, 8);
