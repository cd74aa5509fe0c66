import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeAssetMessage } from "../messages.ts";

/** Queues the purge of a deleted asset; idempotent. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  { assetId, indexId }: { assetId: string; indexId: string },
): Promise<void> => {
  const message: PurgeAssetMessage = { type: "purge-asset", tenantId, assetId, indexId };
  return send("housekeeping", tenantId, message);
};
