import * as z from "zod";
import { isBelow } from "../../platform/outgoing/destination.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { readChallengeParameter } from "../../platform/outgoing/parse-challenges.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { createOAuthFetch, type OAuthCalls, toOAuthFailure } from "./oauth-fetch.ts";
import type { OAuthServer } from "./oauth-server.ts";
import { proofAlgorithm } from "./proof-key.ts";

/** Settings of a config for its authorization server. `serverUrl`: of an MCP server, to discover the others. */
export type ServerSettings = {
  authorizationUrl: string | null;
  tokenUrl: string | null;
  revocationUrl: string | null;
  issuer: string | null;
  resource: string | null;
  serverUrl: string | null;
  /** Whether tokens are to be bound to a key. */
  dpop: boolean;
  /** Members of a config that set the addresses and the issuer, for errors. */
  names?: { addresses: string; issuer: string };
};

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url().optional(),
  token_endpoint: z.url().optional(),
  revocation_endpoint: z.url().optional(),
  registration_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_signing_alg_values_supported: z.array(z.string()).optional(),
  dpop_signing_alg_values_supported: z.array(z.string()).optional(),
  scopes_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
});
type Metadata = z.output<typeof Metadata>;

const ResourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.url()).min(1),
  scopes_supported: z.array(z.string()).optional(),
  dpop_bound_access_tokens_required: z.boolean().optional(),
});

const defaultNames = { addresses: "tokenUrl and authorizationUrl", issuer: "issuer" };

type Fetch = ReturnType<typeof createOAuthFetch>;

const accept = { accept: "application/json" };

/**
 * Finds the authorization server of a config: from its settings, the metadata of its issuer (RFC 8414), or, for an MCP
 * server, the metadata of the resource (RFC 9728). Throws an UpstreamError.
 */
export const findServer = async (
  calls: OAuthCalls,
  settings: ServerSettings,
): Promise<OAuthServer> => {
  const fetch = createOAuthFetch(calls);
  const { authorizationUrl, tokenUrl, revocationUrl, issuer, serverUrl } = settings;
  const found = serverUrl === null ? undefined : await findResource(fetch, serverUrl, settings);
  const named = issuer ?? (tokenUrl === null ? found?.servers[0] : undefined);
  const published = named === undefined ? undefined : await findMetadata(fetch, named, settings);
  const metadata = published ?? (named === undefined ? undefined : assumeMetadata(named, settings));
  const tokenEndpoint = tokenUrl ?? metadata?.token_endpoint;
  if (tokenEndpoint === undefined) {
    throw wrongMetadata(named ?? serverUrl ?? "", "names no token endpoint");
  }
  const bindsTokens = settings.dpop || found?.bindsTokens === true;
  const proofAlgorithms = published?.dpop_signing_alg_values_supported ?? [];
  if (bindsTokens && published && !proofAlgorithms.includes(proofAlgorithm)) {
    throw wrongMetadata(published.issuer, `does not support DPoP with ${proofAlgorithm}`);
  }
  return {
    issuer: metadata?.issuer ?? null,
    authorizationEndpoint: authorizationUrl ?? metadata?.authorization_endpoint ?? null,
    tokenEndpoint,
    revocationEndpoint: revocationUrl ?? metadata?.revocation_endpoint ?? null,
    registrationEndpoint: metadata?.registration_endpoint ?? null,
    sendsIssuer: metadata?.authorization_response_iss_parameter_supported ?? false,
    clientAuthentications: metadata?.token_endpoint_auth_methods_supported ?? null,
    assertionAlgorithms: metadata?.token_endpoint_auth_signing_alg_values_supported ?? null,
    bindsTokens,
    acceptsMetadataDocument: metadata?.client_id_metadata_document_supported ?? false,
    resource: settings.resource ?? found?.resource ?? null,
    scopes: [...(found?.scopes ?? [])],
    offersOfflineAccess: metadata?.scopes_supported?.includes("offline_access") ?? false,
  };
};

/** The metadata of an issuer may be at any of these addresses (RFC 8414, 3.1 and 5). */
const listMetadataUrls = (issuer: URL): string[] => {
  const { origin } = issuer;
  const path = issuer.pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    ...(path === "" ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
};

/** Reads the metadata of an issuer; undefined for one that has nothing (404) at any of the addresses. */
const findMetadata = async (
  fetch: Fetch,
  issuer: string,
  settings: ServerSettings,
): Promise<Metadata | undefined> => {
  const url = parseAddress(issuer);
  if (!url) throw wrongMetadata(issuer, "is no URL");
  let isAbsent = true;
  for (const address of listMetadataUrls(url)) {
    const { status, document: metadata } = await fetchJson(fetch, address, Metadata);
    isAbsent &&= status === 404;
    if (!metadata) continue;
    if (parseAddress(metadata.issuer)?.href !== url.href) {
      throw wrongMetadata(issuer, "has the metadata of another issuer");
    }
    const methods = metadata.code_challenge_methods_supported;
    if (methods && !methods.includes("S256")) throw wrongMetadata(issuer, "does not support PKCE");
    return metadata;
  }
  if (isAbsent) return undefined;
  const { addresses, issuer: name } = settings.names ?? defaultNames;
  const advice = `set ${addresses} in auth in place of ${name}`;
  throw withoutMetadata(issuer, `has no metadata that can be read: ${advice}`);
};

/**
 * Returns what is known of an authorization server without metadata: for an MCP server the default addresses of MCP 2025-03-26, if the
 * config names an issuer without a path, or else nothing but the issuer that the config names with addresses. Throws an UpstreamError
 * for another issuer.
 */
const assumeMetadata = (named: string, settings: ServerSettings): Metadata => {
  const { issuer, serverUrl, tokenUrl } = settings;
  const { origin, pathname } = parseAddress(named) ?? {};
  if (issuer !== null && serverUrl !== null && pathname === "/") {
    return {
      issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
    };
  }
  if (issuer === null || tokenUrl === null) {
    const { addresses } = settings.names ?? defaultNames;
    throw withoutMetadata(named, `has no metadata: set ${addresses} in auth`);
  }
  return { issuer };
};

type FoundResource = {
  resource: string;
  servers: readonly string[];
  scopes: readonly string[];
  bindsTokens: boolean;
};

/** Finds the resource of an MCP server by its challenge, or else its well-known addresses; undefined without metadata. */
const findResource = async (
  fetch: Fetch,
  serverUrl: string,
  { tokenUrl, issuer }: ServerSettings,
): Promise<FoundResource | undefined> => {
  const url = parseAddress(serverUrl);
  if (!url) throw wrongMetadata(serverUrl, "is no URL");
  const challenge = await readChallenge(fetch, url);
  const path = url.pathname.replace(/\/$/, "");
  const wellKnown = `${url.origin}/.well-known/oauth-protected-resource`;
  const places = [
    ...(challenge.metadata === undefined ? [] : [challenge.metadata]),
    `${wellKnown}${path}`,
    ...(path === "" ? [] : [wellKnown]),
  ];
  for (const place of places) {
    const { document: metadata } = await fetchJson(fetch, place, ResourceMetadata);
    if (!metadata) continue;
    const resource = parseAddress(metadata.resource);
    if (!resource || !isBelow(url, resource)) {
      throw wrongMetadata(serverUrl, "has the metadata of another resource");
    }
    const scopes = challenge.scopes ?? metadata.scopes_supported ?? [];
    const { authorization_servers: servers, dpop_bound_access_tokens_required: binds } = metadata;
    return { resource: metadata.resource, servers, scopes, bindsTokens: binds === true };
  }
  if (issuer !== null || tokenUrl !== null) {
    const scopes = challenge.scopes ?? [];
    return { resource: url.href, servers: [], scopes, bindsTokens: false };
  }
  throw wrongMetadata(serverUrl, "has no metadata of a protected resource");
};

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** Reads the challenge to a request without a token (RFC 9728, 5.1). */
const readChallenge = async (
  fetch: Fetch,
  url: URL,
): Promise<{ metadata?: string; scopes?: string[] }> => {
  const response = await fetch(url.href, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: ping,
  }).catch((error: unknown) => {
    throw toOAuthFailure(error, url.host);
  });
  const text = response.status === 401 ? (response.headers.get("www-authenticate") ?? "") : "";
  const [metadata] = readChallengeParameter(text, "resource_metadata");
  const [scope] = readChallengeParameter(text, "scope");
  return {
    ...(metadata !== undefined && parseAddress(metadata) && { metadata }),
    ...(scope !== undefined && { scopes: scope.split(" ").filter((name) => name !== "") }),
  };
};

/** Fetches a JSON document; without `document` where there is none. */
const fetchJson = async <Schema extends z.ZodType>(
  fetch: Fetch,
  address: string,
  schema: Schema,
): Promise<{ status: number; document?: z.output<Schema> }> => {
  const { host } = new URL(address);
  try {
    const response = await fetch(address, { method: "GET", headers: accept });
    const { status } = response;
    if (status !== 200) return { status };
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    return parsed.success ? { status, document: parsed.data } : { status };
  } catch (error) {
    throw toOAuthFailure(error, host);
  }
};

/** Longest path of an issuer in an error. */
const maxPathLength = 200;

/** Returns the error for an issuer without metadata, with its path: others may share its host. */
const withoutMetadata = (issuer: string, detail: string): UpstreamError => {
  const { host = "the authorization server", pathname = "" } = parseAddress(issuer) ?? {};
  const path = pathname === "/" ? "" : pathname.slice(0, maxPathLength);
  return new UpstreamError(`${host}${path} ${detail}.`, { upstream: host });
};

const wrongMetadata = (address: string, detail: string): UpstreamError => {
  const upstream = parseAddress(address)?.host ?? "the authorization server";
  return new UpstreamError(`${upstream} ${detail}.`, { upstream });
};
