import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { Key } from "../../platform/db/keys.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { parseUuidTime } from "../../platform/runtime/runtime.ts";
import { openIndex } from "../record/execution-record.ts";
import { type ExecutionKey, queuedBatchKey } from "../record/keys.ts";

/**
 * Executions of one message by which recovery finds them, as long as they have no entries of their own in the index: an
 * execution pays for its entry twice, when it is queued and when it ends, and a batch pays once for all of them.
 */
export const QueuedBatch = z
  .object({
    pk: z.string(),
    sk: z.string(),
    tenantId: z.string(),
    batchId: z.string(),
    /** Agents and ids. */
    executions: z.array(z.tuple([z.string(), z.string()])),
  })
  .transform(({ pk, sk, tenantId, batchId, executions }) => ({
    key: { pk, sk },
    createdAt: parseUuidTime(batchId),
    executions: executions.map(([agentId, id]) => ({ tenantId, agentId, id })),
  }));
export type QueuedBatch = z.output<typeof QueuedBatch>;

/** Number of executions from which a batch costs less than entries of their own. */
export const minBatch = 3;

/** Returns the item of a new batch. `batchId`: a version 7 UUID of the time. */
export const toQueuedBatch = (
  tenantId: TenantId,
  batchId: string,
  executions: readonly Pick<ExecutionKey, "agentId" | "executionId">[],
): Key & Record<string, unknown> => ({
  ...queuedBatchKey(tenantId, batchId),
  ...openIndex(batchId),
  tenantId,
  batchId,
  executions: executions.map(({ agentId, executionId }) => [agentId, executionId]),
});

/** TENANT#t#BATCH#b / BATCH: removes a batch after its executions have ended. */
export const removeQueuedBatch = async (db: Database, key: Key): Promise<void> => {
  await deleteItem(db, { Key: key });
};
