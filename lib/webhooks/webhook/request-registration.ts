import type { TenantId } from "../../platform/db/tenant-id.ts";
import type {
  RegisterWebhookMessage,
  UnregisterWebhookMessage,
} from "../../platform/queue/messages.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { WebhookItem } from "./items.ts";

/** Asks for a listener on the provider's side to be made for a webhook; safe to ask again. */
export const requestRegistration = (
  send: Send,
  tenantId: TenantId,
  webhookId: string,
): Promise<void> => {
  const message: RegisterWebhookMessage = { type: "register-webhook", tenantId, webhookId };
  return send("registrations", tenantId, message);
};

/** Asks for a webhook's listener to be removed, if it has one; safe to ask again. */
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
