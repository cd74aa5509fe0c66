import type { PurgeConnectorMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** Asks for what a deleted connector left behind to be removed; safe to ask again. */
export const requestPurge = (
  send: Send,
  tenantId: TenantId,
  place: { agentId: string; connectorId: string },
): Promise<void> => {
  const message: PurgeConnectorMessage = { type: "purge-connector", tenantId, ...place };
  return send("housekeeping", tenantId, message);
};
