import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeAgentMessage } from "../messages.ts";

/** Requests the removal of a deleted agent's records; idempotent. */
export const requestPurge = (send: Send, tenantId: TenantId, agentId: string): Promise<void> => {
  const message: PurgeAgentMessage = { type: "purge-agent", tenantId, agentId };
  return send("housekeeping", tenantId, message);
};
