import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeDatasetMessage } from "../messages.ts";

/** Queues the purge of a deleted dataset, at once or after a delay of at most 15 minutes; idempotent. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  { datasetId, contentId }: { datasetId: string; contentId: string },
  delayMs = 0,
): Promise<void> => {
  const message: PurgeDatasetMessage = { type: "purge-dataset", tenantId, datasetId, contentId };
  const seconds = Math.min(900, Math.ceil(delayMs / 1_000));
  return send("housekeeping", tenantId, message, seconds > 0 ? seconds : undefined);
};
