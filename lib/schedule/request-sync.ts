import type { SyncSchedulesMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** Asks for an agent's schedules to be made what its deployed revision says; safe to ask again. */
export const requestSync = (send: Send, tenantId: TenantId, agentId: string): Promise<void> => {
  const message: SyncSchedulesMessage = { type: "sync-schedules", tenantId, agentId };
  return send("schedules", tenantId, message);
};
