import type { Database } from "../db/database.ts";
import { notFound } from "../http/problems.ts";
import type { TenantId } from "../tenant/tenant-id.ts";
import {
  getIntegrationConfig,
  removeIntegrationConfig,
  removeIntegrationRevisions,
} from "./store.ts";

/**
 * Deletes a config with its revisions and their credentials. The config goes first, so that nothing uses it
 * any more; a call that was cut off after that is finished by the next one. Throws 404.
 */
export const deleteIntegrationConfig = async (
  db: Database,
  tenantId: TenantId,
  configId: string,
): Promise<void> => {
  const config = await getIntegrationConfig(db, tenantId, configId);
  if (config) await removeIntegrationConfig(db, tenantId, config);
  const removed = await removeIntegrationRevisions(db, tenantId, configId);
  if (!config && removed === 0) throw notFound("integration config", configId);
};
