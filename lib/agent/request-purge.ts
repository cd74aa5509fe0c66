import type { PurgeAgentMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** Asks for what a deleted agent left behind to be removed; safe to ask again. */
export const requestPurge = (send: Send, tenantId: TenantId, agentId: string): Promise<void> => {
  const message: PurgeAgentMessage = { type: "purge-agent", tenantId, agentId };
  return send("housekeeping", tenantId, message);
};
