import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { RegisterWebhookMessage, UnregisterWebhookMessage } from "../messages.ts";
import type { WebhookItem } from "./items.ts";

/** Queues the registration of a webhook's listener; idempotent. */
export const requestRegistration = (
  send: Send,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  const message: RegisterWebhookMessage = { type: "register-webhook", tenantId, webhookId };
  return send("registrations", tenantId, message);
};

/** Queues the removal of a webhook's listener, if any; idempotent. */
export const requestUnregistration = async (
  send: Send,
  tenantId: TenantId,
  webhookId: string,
  {
    provider,
    remote,
    externalContext,
  }: Pick<WebhookItem, "provider" | "remote" | "externalContext">,
): Promise<void> => {
  if (!remote) return;
  const message: UnregisterWebhookMessage = {
    type: "unregister-webhook",
    tenantId,
    webhookId,
    provider,
    remote,
    externalContext,
  };
  await send("registrations", tenantId, message);
};
