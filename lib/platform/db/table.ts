/** Names shared by the functions that use the table and the stack that declares it. */
export const tableAttributes = {
  partitionKey: "pk",
  sortKey: "sk",
  /** The listing index: keys only, so that a deep skip never reads a whole item. */
  index: "gsi1",
  indexPartitionKey: "gsi1pk",
  indexSortKey: "gsi1sk",
  /** Epoch seconds after which DynamoDB may remove the item: housekeeping, never a rule. */
  timeToLive: "ttl",
} as const;

/** Where in the bucket answers kept for an Idempotency-Key stand; they go by themselves. */
export const idempotencyPrefix = "idempotency";

/** Where in the bucket the bodies of deliveries stand that are too large for an item; they go by themselves. */
export const deliveriesPrefix = "deliveries";
