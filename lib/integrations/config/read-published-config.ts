import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type Credentials, openConfigCredentials } from "./credentials.ts";
import type { IntegrationContent } from "./schemas.ts";
import { getIntegrationConfig, getIntegrationRevision } from "./store.ts";
import { readContent } from "./to-integration-config.ts";

/** Published revision of a config, with its credentials decrypted. */
export type PublishedConfig = {
  integrationId: string;
  parameters: IntegrationContent["parameters"];
  auth: Credentials;
};

/** Returns the published revision of a config; undefined for an unknown or unpublished config. */
export const readPublishedConfig = async (
  { db, sealer }: { db: Database; sealer: Sealer },
  { tenantId, configId }: { tenantId: TenantId; configId: string },
): Promise<PublishedConfig | undefined> => {
  const config = await getIntegrationConfig(db, tenantId, configId);
  if (!config || config.publishedRevision === null) return undefined;
  const revision = await getIntegrationRevision(db, tenantId, configId, config.publishedRevision);
  if (!revision) return undefined;
  return {
    integrationId: config.integrationId,
    parameters: readContent(revision).parameters,
    auth: await openConfigCredentials(sealer, tenantId, configId, revision.secrets),
  };
};
