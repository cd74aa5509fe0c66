/** Names shared by the functions that use the table and the stack that declares it. */
export const tableAttributes = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Listing index with keys only, so that skipping does not read whole items. */
  index: "gsi1",
  indexPartitionKey: "gsi1pk",
  indexSortKey: "gsi1sk",
  /** Index with keys only of the records of a tenant's executions. Its sort key is that of the table. */
  recordsIndex: "gsi2",
  recordsIndexPartitionKey: "gsi2pk",
  /** Epoch seconds after which DynamoDB may delete the item. Reads must not rely on it. */
  timeToLive: "ttl",
} as const;

/** Prefix of stored idempotent responses in the bucket; a lifecycle rule expires them. */
export const idempotencyPrefix = "idempotency";

/** Prefix of checkpoints that are too large for an item; a lifecycle rule expires them. */
export const stepsPrefix = "steps";

/** Prefix of files until their upload is completed; a lifecycle rule expires them. */
export const uploadsPrefix = "uploads";

/** Prefix of delivery bodies that are too large for an item; a lifecycle rule for each retention expires them. */
export const deliveriesPrefix = "deliveries";

/** Prefix of values of executions that are too large for an item; a lifecycle rule for each retention expires them. */
export const executionsPrefix = "executions";

/** Prefix of stored files; a lifecycle rule for each retention expires them. */
export const filesPrefix = "files";
