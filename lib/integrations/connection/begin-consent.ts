import { createHash } from "node:crypto";
import { conflict } from "../../platform/http/problems.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { sha256Hex } from "../../platform/signatures/signatures.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import { readPublishedConfig } from "../config/read-published-config.ts";
import { limitChain } from "../oauth/oauth-fetch.ts";
import { oauthPaths } from "../oauth/oauth-paths.ts";
import {
  type IdentityProvider,
  type OAuthClient,
  type OAuthServer,
  toPlainClient,
} from "../oauth/oauth-server.ts";
import { generateProofKey, hashProofKey } from "../oauth/proof-key.ts";
import { registerClient } from "../oauth/register-client.ts";
import { type ConnectionDeps, type OAuthConfig, readClient } from "./connection-deps.ts";
import { type ConnectionLink, needsConsent } from "./connection-link.ts";
import { type ConsentSecrets, putConsent } from "./consent-store.ts";
import { findConfigServer } from "./find-config-server.ts";
import { findIdentityProvider } from "./find-identity-provider.ts";

/** Time for a consent, from the click on the page to the callback. */
const consentMs = 600_000;

/** Where the browser goes, and the cookie by which it is known when it comes back. */
export type BegunConsent = { url: string; cookie: { name: string; value: string } };

/** Formats the cookie of a consent for the browser, which sends it back to this API alone. */
export const formatCookie = ({ name, value }: BegunConsent["cookie"], baseUrl: string): string => {
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${consentMs / 1_000}; HttpOnly; SameSite=Lax${secure}`;
};

/** Returns the name of the cookie of a browser that began a consent. Over https no other host can set it. */
export const nameCookie = (stateHash: string, baseUrl: string): string =>
  `${baseUrl.startsWith("https:") ? "__Host-" : ""}wharf-consent-${stateHash.slice(0, 16)}`;

/** Reads the published config of a connection. Throws 409 for one without OAuth 2. */
export const readOAuthConfig = async (
  { db, sealer }: Pick<ConnectionDeps, "db" | "sealer">,
  { tenantId, configId }: Pick<OAuthConfig, "tenantId" | "configId">,
): Promise<OAuthConfig> => {
  const config = await readPublishedConfig({ db, sealer }, { tenantId, configId });
  if (config?.oauth) return { tenantId, configId, oauth: config.oauth };
  throw conflict('The config has no published revision with "type": "oauth2". Publish it first.');
};

/**
 * Begins a consent in a browser: state, proof key (PKCE S256) and cookie are its own. Throws 409 where none can be given, and
 * an UpstreamError where the authorization server is not found within 20 seconds.
 */
export const beginConsent = async (
  deps: ConnectionDeps,
  { link: { tenant, item, expiresAt }, baseUrl }: { link: ConnectionLink; baseUrl: string },
): Promise<BegunConsent> => {
  const { db, sealer, runtime } = deps;
  const tenantId = tenant.id;
  const now = runtime.clock();
  if (!needsConsent(item)) throw conflict("It is connected already.");
  if (expiresAt <= now) throw conflict("The link has expired.");
  const config = await readOAuthConfig(deps, { tenantId, configId: item.integrationConfigId });
  const { oauth } = config;
  const random = () => Buffer.from(runtime.randomBytes(32)).toString("base64url");
  const redirectUri = baseUrl + oauthPaths.callback;
  const { address, server, client, identityProvider } = await limitChain(deps, (limited) =>
    discover(limited, { config, baseUrl, redirectUri }),
  );
  const scopes = chooseScopes(item, oauth, server.scopes);
  const [verifier, browser] = [random(), random()];
  const state = `${tenantId}.${random()}`;
  const stateHash = sha256Hex(state);
  const proofKey = server.bindsTokens ? generateProofKey() : undefined;
  const secrets: ConsentSecrets = {
    verifier,
    redirectUri,
    server,
    client,
    proofKey,
    identityProvider,
    scopes: [...scopes],
    addedScopes: findAdded(scopes, oauth.scopes),
    target: oauth.target,
  };
  await putConsent(db, tenantId, {
    stateHash,
    connectionId: item.id,
    serial: item.serial,
    connectedAt: item.connectedAt,
    browserHash: sha256Hex(browser),
    expiresAt: now + consentMs,
    sealed: await sealer.seal(secrets, { tenantId, stateHash }),
    ttl: Math.ceil((now + consentMs) / 1_000),
  });
  const parameters = {
    response_type: "code",
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...(identityProvider ? askForSignIn(identityProvider) : askForTokens(secrets)),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { url: address.href, cookie: { name: nameCookie(stateHash, baseUrl), value: browser } };
};

type Discovery = { config: OAuthConfig; baseUrl: string; redirectUri: string };

/** Finds the page for a consent, and the client that asks for it. */
const discover = async (
  deps: ConnectionDeps,
  { config, baseUrl, redirectUri }: Discovery,
): Promise<{ address: URL } & Pick<ConsentSecrets, "server" | "client" | "identityProvider">> => {
  const { oauth } = config;
  const server = await findConfigServer(deps, config);
  const identityProvider = await findIdentityProvider(deps, { oauth });
  const { authorizationEndpoint } = identityProvider?.server ?? server;
  const address = authorizationEndpoint === null ? null : parseAddress(authorizationEndpoint);
  if (!asksPerson(oauth) || !address || !isWeb(address)) {
    throw conflict("The config needs no consent, or its authorization server has no page for it.");
  }
  const client = readClient(oauth) ?? (await findClient(deps, { server, baseUrl, redirectUri }));
  return { address, server, client, identityProvider };
};

const askForTokens = ({ client, scopes, server: { resource }, proofKey }: ConsentSecrets) => ({
  client_id: client.id,
  ...(scopes.length > 0 && { scope: scopes.join(" ") }),
  ...(resource !== null && { resource }),
  ...(proofKey && { dpop_jkt: hashProofKey(proofKey) }),
});

const askForSignIn = ({ client, server }: IdentityProvider) => ({
  client_id: client.id,
  scope: server.offersOfflineAccess ? "openid offline_access" : "openid",
});

const isWeb = ({ protocol }: URL): boolean => protocol === "https:" || protocol === "http:";

/** Returns the scopes that a config does not have; none for a config without scopes, which has those of its server. */
const findAdded = (scopes: readonly string[], ofConfig: readonly string[]): string[] =>
  ofConfig.length > 0 ? scopes.filter((scope) => !ofConfig.includes(scope)) : [];

/**
 * Returns the scopes that were asked for; else those of the config with those that services wanted at the same address, those of
 * the last consent there, or those that the server offers.
 */
const chooseScopes = (
  { wantedScopes = [], requestedScopes = [], addedScopes = [], target }: ConnectionLink["item"],
  config: OAuthConfig["oauth"],
  offered: readonly string[],
): readonly string[] => {
  const isSame = target === config.target;
  const ofConfig = isSame
    ? config.scopes.concat(findAdded(addedScopes, config.scopes))
    : config.scopes;
  const last = isSame ? requestedScopes : [];
  return [wantedScopes, ofConfig, last].find((scopes) => scopes.length > 0) ?? offered;
};

/** Returns a client of the installation: by its metadata document, or else registered with the server. */
const findClient = async (
  deps: ConnectionDeps,
  { server, baseUrl, redirectUri }: { server: OAuthServer; baseUrl: string; redirectUri: string },
): Promise<OAuthClient> => {
  if (server.acceptsMetadataDocument) {
    return toPlainClient(baseUrl + oauthPaths.clientMetadata, null, null);
  }
  if (server.registrationEndpoint !== null) return registerClient(deps, server, redirectUri);
  const upstream = new URL(server.tokenEndpoint).host;
  throw new UpstreamError(`${upstream} registers no clients: set clientId in the config.`, {
    upstream,
  });
};
