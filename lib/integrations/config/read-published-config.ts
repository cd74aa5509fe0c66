import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { hashDestinations, hashTarget } from "./check-destination.ts";
import { type Credentials, openConfigCredentials } from "./credentials.ts";
import { type OAuthSecretName, type OAuthSettings, readOAuth } from "./oauth-settings.ts";
import type { IntegrationContent } from "./schemas.ts";
import { getIntegrationConfig, getIntegrationRevision } from "./store.ts";
import { readContent } from "./to-integration-config.ts";

/** Published revision of a config, with its credentials decrypted. */
export type PublishedConfig = {
  integrationId: string;
  parameters: IntegrationContent["parameters"];
  auth: Credentials;
  /** Settings of OAuth 2; undefined for a config without. */
  oauth: PublishedOAuth | undefined;
};

/** OAuth 2 of a published config. `target`: hash of where its tokens go, and for which account; `destinations`: of where alone. */
export type PublishedOAuth = OAuthSettings &
  Record<OAuthSecretName, string | null> & {
    displayName: string;
    target: string;
    destinations: string;
    /** The `url` of an mcp config, from which its authorization server is discovered. */
    serverUrl: string | null;
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
  const { integrationId } = config;
  const content = readContent(revision);
  const all = await openConfigCredentials(sealer, tenantId, configId, revision.secrets);
  const settings = readOAuth(content.auth);
  const { parameters, displayName } = content;
  if (!settings) return { integrationId, parameters, auth: all, oauth: undefined };
  const {
    clientSecret = null,
    clientPrivateKey = null,
    assertion = null,
    assertionPrivateKey = null,
    identityProviderClientSecret = null,
    identityProviderClientPrivateKey = null,
    idToken = null,
    ...auth
  } = all;
  const { url } = parameters;
  const serverUrl = integrationId === "mcp" && typeof url === "string" ? url.trim() : null;
  const target = hashTarget(integrationId, content);
  const destinations = hashDestinations(integrationId, content);
  const secrets = {
    clientSecret,
    clientPrivateKey,
    assertion,
    assertionPrivateKey,
    identityProviderClientSecret,
    identityProviderClientPrivateKey,
    idToken,
  };
  const oauth = { ...settings, displayName, ...secrets, target, destinations, serverUrl };
  return { integrationId, parameters, auth, oauth };
};
