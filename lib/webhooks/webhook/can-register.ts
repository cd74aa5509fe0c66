import { findPublishedConfig } from "../../integrations/config/published-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";
import type { WebhookItem } from "./items.ts";

/**
 * Returns whether a webhook's listener can be registered: the tenant has a published config for it,
 * and the webhook names its target. Otherwise its owner registers the URL. At most one small read.
 */
export const canRegister = async (
  db: Database,
  tenantId: TenantId,
  { provider, externalContext }: Pick<WebhookItem, "provider" | "externalContext">,
): Promise<boolean> => {
  const registration = findWebhookProvider(provider)?.registration;
  if (!registration || (registration.needsContext && !externalContext)) return false;
  return (await findPublishedConfig(db, tenantId, provider)) !== undefined;
};
