import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { beingChanged, notFound } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { listDeletedDatasets, replaceDatasetByTombstone } from "./deletion-store.ts";
import { requestPurge } from "./request-purge.ts";
import { getDataset } from "./store.ts";

/**
 * Deletes a dataset immediately; a queue removes its examples soon after. Throws 404. Repeating a call that failed
 * halfway requests the purge again.
 */
export const deleteDataset = (
  tenantId: TenantId,
  datasetId: string,
  { db, send }: { db: Database; send: Send },
): Promise<void> =>
  retryOnConflict({ error: () => beingChanged("dataset", datasetId) }, async () => {
    const dataset = await getDataset(db, tenantId, datasetId);
    if (!dataset) {
      for (const deleted of await listDeletedDatasets(db, tenantId, datasetId)) {
        await requestPurge(send, tenantId, deleted);
      }
      throw notFound("dataset", datasetId);
    }
    const outcome = await replaceDatasetByTombstone(db, tenantId, dataset);
    if (outcome === "changed") return outcome;
    return requestPurge(send, tenantId, { datasetId, contentId: dataset.contentId });
  });
