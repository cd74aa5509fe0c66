import { isRegistrarId } from "../../integrations/catalog/registrar-ids.ts";
import { findPublishedConfig } from "../../integrations/config/published-store.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";

/**
 * Finds the tenant's oldest published config that can register listeners with a provider; undefined when there is
 * none. At most one small read.
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
