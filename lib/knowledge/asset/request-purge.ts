import type { TenantId } from "../../platform/db/tenant-id.ts";
import { toDelaySeconds } from "../../platform/queue/delay-seconds.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeAssetMessage } from "../messages.ts";

/** Queues the purge of a deleted asset, at once or after a delay of at most 15 minutes; idempotent. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  { assetId, indexId }: { assetId: string; indexId: string },
  delayMs = 0,
): Promise<void> => {
  const message: PurgeAssetMessage = { type: "purge-asset", tenantId, assetId, indexId };
  return send("housekeeping", tenantId, message, toDelaySeconds(delayMs));
};
