import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { PurgeConnectorMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";

/** Asks for what a deleted connector left behind to be removed; safe to ask again. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  place: { agentId: string; connectorId: string },
): Promise<void> => {
  const message: PurgeConnectorMessage = { type: "purge-connector", tenantId, ...place };
  return send("housekeeping", tenantId, message);
};
