import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { PublishedOAuth } from "../config/read-published-config.ts";
import type { OAuthCalls } from "../oauth/oauth-fetch.ts";
import type { OAuthClient } from "../oauth/oauth-server.ts";

/** Dependencies of rules about connections. */
export type ConnectionDeps = OAuthCalls & { db: Database; sealer: Sealer; runtime: Runtime };

/** A published config with OAuth 2. */
export type OAuthConfig = { tenantId: TenantId; configId: string; oauth: PublishedOAuth };

/** Returns the client that a config names; undefined for one without. */
export const readClient = ({
  clientId,
  clientSecret,
  clientAuthentication,
  clientPrivateKey,
  clientAssertionAudience,
}: PublishedOAuth): OAuthClient | undefined =>
  clientId === null
    ? undefined
    : {
        id: clientId,
        secret: clientSecret,
        authentication: clientAuthentication,
        privateKey: clientPrivateKey,
        audience: clientAssertionAudience ?? "issuer",
      };

/** Returns the client of a config at its identity provider; undefined for one without. */
export const readIdentityClient = ({
  identityProviderClientId,
  identityProviderClientSecret,
  identityProviderClientPrivateKey,
  clientAssertionAudience,
}: PublishedOAuth): OAuthClient | undefined =>
  identityProviderClientId === null
    ? undefined
    : {
        id: identityProviderClientId,
        secret: identityProviderClientSecret,
        authentication: null,
        privateKey: identityProviderClientPrivateKey,
        audience: clientAssertionAudience ?? "issuer",
      };

/** Returns the client of stored tokens with the secret or the private key that its config, with the same target, has by now. */
export const chooseClient = (oauth: PublishedOAuth, stored: OAuthClient): OAuthClient =>
  takeCredentials(readClient(oauth), stored);

/** Returns the client of a stored sign-in as `chooseClient`. */
export const chooseIdentityClient = (oauth: PublishedOAuth, stored: OAuthClient): OAuthClient =>
  takeCredentials(readIdentityClient(oauth), stored);

const takeCredentials = (current: OAuthClient | undefined, stored: OAuthClient): OAuthClient => {
  if (current?.id !== stored.id) return stored;
  const hasSame = (["privateKey", "secret"] as const).some(
    (name) => current[name] !== null && stored[name] !== null,
  );
  return hasSame ? current : stored;
};

/** Returns whether a client that was chosen is that of its config, with the credentials that it has by now. */
export const isClientOfConfig = (oauth: PublishedOAuth, chosen: OAuthClient): boolean => {
  const current = readClient(oauth);
  return (
    current?.id === chosen.id &&
    current.secret === chosen.secret &&
    current.privateKey === chosen.privateKey
  );
};
