import type { Database } from "../db/database.ts";
import { findPublishedConfig } from "../integration-config/published-store.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import { isRegistrarId } from "./registrar-ids.ts";

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
