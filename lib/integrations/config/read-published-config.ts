import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type Credentials, openCredentials } from "./credentials.ts";
import type { IntegrationContent } from "./schemas.ts";
import { getIntegrationConfig, getIntegrationRevision } from "./store.ts";
import { readContent } from "./to-integration-config.ts";

/** A config as it is in use, its credentials in the clear. */
export type PublishedConfig = {
  integrationId: string;
  parameters: IntegrationContent["parameters"];
  auth: Credentials;
};

/** The published revision of a config; undefined when there is no such config, or none of it is published. */
export const readPublishedConfig = async (
  { db, sealer }: { db: Database; sealer: Sealer },
  tenantId: TenantId,
  configId: string,
): Promise<PublishedConfig | undefined> => {
  const config = await getIntegrationConfig(db, tenantId, configId);
  if (!config || config.publishedRevision === null) return undefined;
  const revision = await getIntegrationRevision(db, tenantId, configId, config.publishedRevision);
  if (!revision) return undefined;
  return {
    integrationId: config.integrationId,
    parameters: readContent(revision).parameters,
    auth: await openCredentials(sealer, tenantId, configId, revision.secrets),
  };
};
