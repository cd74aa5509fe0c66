import type { PurgeWebhookMessage } from "../queue/messages.ts";
import type { Send } from "../queue/send.ts";
import type { TenantId } from "../tenant/tenant-id.ts";

/** Asks for what a deleted webhook left behind to be removed; safe to ask again. */
export const requestPurge = (send: Send, tenantId: TenantId, webhookId: string): Promise<void> => {
  const message: PurgeWebhookMessage = { type: "purge-webhook", tenantId, webhookId };
  return send("housekeeping", tenantId, message);
};
