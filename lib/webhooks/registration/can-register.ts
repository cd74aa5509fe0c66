import { isRegistrarId } from "../../integrations/catalog/registrar-ids.ts";
import { findPublishedConfig } from "../../integrations/config/published-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/**
 * The published config whose credentials register a webhook with its provider, the oldest one of the tenant;
 * undefined when there is none, or the provider takes no registrations. One small read at most.
 */
export const findRegistration = async (
  db: Database,
  tenantId: TenantId,
  webhookProviderId: string,
): Promise<{ configId: string } | undefined> => {
  if (!isRegistrarId(webhookProviderId)) return undefined;
  const configId = await findPublishedConfig(db, tenantId, webhookProviderId);
  return configId === undefined ? undefined : { configId };
};
