import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { PurgeWebhookMessage } from "../messages.ts";

/** Queues the purge of a deleted webhook; idempotent. */
export const requestPurge = (send: Send, tenantId: TenantId, webhookId: string): Promise<void> => {
  const message: PurgeWebhookMessage = { type: "purge-webhook", tenantId, webhookId };
  return send("housekeeping", tenantId, message);
};
