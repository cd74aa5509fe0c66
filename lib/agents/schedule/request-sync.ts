import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { SyncSchedulesMessage } from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";

/** Longer than any function of the API lives. */
const afterTheCallSeconds = 60;

/** Asks for an agent's schedules to be made what its deployed revision says; safe to ask again. */
export const requestSync = (send: Send, tenantId: TenantId, agentId: string): Promise<void> =>
  send("schedules", tenantId, syncOf(tenantId, agentId));

/** The same for when this call is over, however it ends: to be asked before the revision is deployed. */
export const requestLaterSync = (send: Send, tenantId: TenantId, agentId: string): Promise<void> =>
  send("schedules", tenantId, syncOf(tenantId, agentId), afterTheCallSeconds);

const syncOf = (tenantId: TenantId, agentId: string): SyncSchedulesMessage => ({
  type: "sync-schedules",
  tenantId,
  agentId,
});
