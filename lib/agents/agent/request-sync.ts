import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { SyncSchedulesMessage } from "../messages.ts";

/** Longer than any API function runs. */
const afterTheCallSeconds = 60;

/** Requests that an agent's schedules be synchronized with its deployed revision; idempotent. */
export const requestSync = (send: Send, tenantId: TenantId, agentId: string): Promise<void> =>
  send("schedules", tenantId, buildSyncMessage(tenantId, agentId));

/** Requests the same for after this call has ended; sent before the revision is deployed. */
export const requestLaterSync = (send: Send, tenantId: TenantId, agentId: string): Promise<void> =>
  send("schedules", tenantId, buildSyncMessage(tenantId, agentId), afterTheCallSeconds);

const buildSyncMessage = (tenantId: TenantId, agentId: string): SyncSchedulesMessage => ({
  type: "sync-schedules",
  tenantId,
  agentId,
});
