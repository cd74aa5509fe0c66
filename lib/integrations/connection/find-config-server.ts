import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { putSecretIssuer } from "../config/store.ts";
import { chooseKey } from "../oauth/authenticate-client.ts";
import { findServer } from "../oauth/find-server.ts";
import type { OAuthServer } from "../oauth/oauth-server.ts";
import type { ConnectionDeps, OAuthConfig } from "./connection-deps.ts";

/**
 * Finds the authorization server of a config. A secret, or an assertion, is for the issuer that an MCP server named first, and for
 * no other one until the config has other addresses. Throws an UpstreamError, also where the server does not take the client's private key.
 */
export const findConfigServer = async (
  deps: ConnectionDeps,
  { tenantId, configId, oauth }: OAuthConfig,
): Promise<OAuthServer> => {
  const server = await findServer(deps, oauth);
  const { clientSecret, clientPrivateKey, issuer, tokenUrl, destinations, serverUrl } = oauth;
  const { assertion, assertionPrivateKey } = oauth;
  if (clientPrivateKey !== null) chooseKey(clientPrivateKey, server);
  const isNamed = issuer !== null || tokenUrl !== null;
  // The exchange names the issuer to the identity provider.
  const isSecret =
    oauth.grant === "id-jag" ||
    [clientSecret, clientPrivateKey, assertion, assertionPrivateKey].some(
      (secret) => secret !== null,
    );
  if (!isSecret || isNamed || server.issuer === null) return server;
  const first = { destinations, issuer: server.issuer };
  if (await putSecretIssuer(deps.db, tenantId, configId, first)) return server;
  const upstream = new URL(serverUrl ?? server.tokenEndpoint).host;
  const message = `${upstream} names another authorization server than before: set issuer in the config if its secrets are for ${server.issuer}.`;
  throw new UpstreamError(message, { upstream });
};
