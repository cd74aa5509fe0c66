import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type OAuthSettings, readOAuth } from "./oauth-settings.ts";
import { getIntegrationConfig, getIntegrationRevision } from "./store.ts";
import { readContent } from "./to-integration-config.ts";

/** OAuth 2 of a published config without its secrets; `idToken` is masked, or null without one. */
export type PublishedSettings = OAuthSettings & { idToken: string | null };

/** Returns the OAuth 2 settings of the published revision of a config; undefined for a config without. Decrypts nothing. */
export const readPublishedSettings = async (
  { db }: { db: Database },
  { tenantId, configId }: { tenantId: TenantId; configId: string },
): Promise<PublishedSettings | undefined> => {
  const { publishedRevision = null } = (await getIntegrationConfig(db, tenantId, configId)) ?? {};
  if (publishedRevision === null) return undefined;
  const revision = await getIntegrationRevision(db, tenantId, configId, publishedRevision);
  const auth = revision ? readContent(revision).auth : null;
  const settings = readOAuth(auth);
  return settings && { ...settings, idToken: auth?.idToken ?? null };
};
