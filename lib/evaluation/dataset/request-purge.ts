import type { TenantId } from "../../platform/db/tenant-id.ts";
import { toDelaySeconds } from "../../platform/queue/delay-seconds.ts";
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
  return send("housekeeping", tenantId, message, toDelaySeconds(delayMs));
};
