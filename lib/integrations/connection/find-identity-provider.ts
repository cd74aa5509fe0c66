import type { PublishedOAuth } from "../config/read-published-config.ts";
import { chooseKey } from "../oauth/authenticate-client.ts";
import { findServer } from "../oauth/find-server.ts";
import type { IdentityProvider } from "../oauth/oauth-server.ts";
import { type ConnectionDeps, readIdentityClient } from "./connection-deps.ts";

/**
 * Finds the identity provider of a config with the grant `id-jag`; undefined for another grant. Throws an UpstreamError, also where it
 * does not take the private key of its client.
 */
export const findIdentityProvider = async (
  deps: ConnectionDeps,
  { oauth }: { oauth: PublishedOAuth },
): Promise<IdentityProvider | undefined> => {
  const client = readIdentityClient(oauth);
  if (oauth.grant !== "id-jag" || !client) return undefined;
  const server = await findServer(deps, {
    issuer: oauth.identityProviderIssuer,
    authorizationUrl: oauth.identityProviderAuthorizationUrl,
    tokenUrl: oauth.identityProviderTokenUrl,
    ...{ revocationUrl: null, resource: null, serverUrl: null, dpop: false },
    names: {
      addresses: "identityProviderTokenUrl and identityProviderAuthorizationUrl",
      issuer: "identityProviderIssuer",
    },
  });
  if (client.privateKey !== null) chooseKey(client.privateKey, server);
  return { server, client };
};
