import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeConnectorMessage } from "../messages.ts";

/** Queues the purge of a deleted connector; idempotent. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  ref: { agentId: string; connectorId: string },
): Promise<void> => {
  const message: PurgeConnectorMessage = { type: "purge-connector", tenantId, ...ref };
  return send("housekeeping", tenantId, message);
};
