import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import type { WebhookItem } from "./items.ts";
import type { Webhook } from "./schemas.ts";

/** Returns the absolute URL of a webhook, without a key. */
export const buildWebhookUrl = (
  tenantId: TenantId,
  { baseUrl, provider, id }: Pick<WebhookItem, "baseUrl" | "provider" | "id">,
): string => `${baseUrl}/v1/tenants/${tenantId}/webhooks/${provider}/${id}`;

/**
 * Maps a stored webhook to its response, with its URL for the caller, and with the signing secret only when it was
 * just created.
 */
export const toWebhook = (
  { tenant, baseUrl }: Pick<TenantContext, "tenant" | "baseUrl">,
  item: WebhookItem,
  signingSecret: string | null = null,
): Webhook => ({
  id: item.id,
  provider: item.provider,
  authMode: item.authMode,
  status: item.status,
  statusReason: item.statusReason,
  externalContext: item.externalContext,
  filter: item.filter,
  expiresAt: item.expiresAt,
  createdAt: item.createdAt,
  modifiedAt: item.modifiedAt,
  webhookUrl: buildWebhookUrl(tenant.id, { ...item, baseUrl }),
  signingSecret,
});
