import type { Database } from "../../platform/db/database.ts";
import type { PurgedObjects } from "../../platform/db/large-value.ts";
import { purgeList } from "../../platform/db/purge-list.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import type { PurgeDatasetMessage } from "../messages.ts";
import { deleteTombstone, getDeletedDataset } from "./deletion-store.ts";
import { deleteRows, listStoredKeys } from "./example-store.ts";
import { exampleObjects } from "./keys.ts";
import { requestPurge } from "./request-purge.ts";

/** Dependencies of a purge. `until`: when to stop, Unix milliseconds. */
export type PurgeDatasetDeps = {
  readonly db: Database;
  readonly objects: PurgedObjects;
  readonly send: Send;
  readonly clock: Clock;
  readonly until: number;
};

/**
 * Removes the examples of a deleted dataset, in all versions; a no-op for an existing one. Idempotent; requests another
 * run when time runs out, and when a change may still write.
 */
export const purgeDataset = async (
  { tenantId, datasetId, contentId }: Omit<PurgeDatasetMessage, "type">,
  { db, objects, send, clock, until }: PurgeDatasetDeps,
): Promise<void> => {
  const deleted = await getDeletedDataset(db, tenantId, { datasetId, contentId });
  if (!deleted) return;
  const outcome = await purgeList(
    listStoredKeys(db, tenantId, contentId),
    (keys) => deleteRows(db, keys),
    { isTimeOver: () => clock() >= until },
  );
  if (outcome === "more") return requestPurge(send, tenantId, deleted);
  await objects.removeUnder(exampleObjects(tenantId, contentId));
  const busyMs = deleted.busyUntil - clock();
  if (busyMs > 0) return requestPurge(send, tenantId, deleted, busyMs);
  await deleteTombstone(db, tenantId, deleted);
};
