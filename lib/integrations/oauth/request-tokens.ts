import type * as oauth from "oauth4webapi";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { isRecord } from "../../values/json/json.ts";
import { parseJson } from "../../values/json/parse-json.ts";
import { authenticateClient } from "./authenticate-client.ts";
import { createSingleFetch, type OAuthCalls, repeatOnce, toOAuthFailure } from "./oauth-fetch.ts";
import type { OAuthClient, OAuthServer } from "./oauth-server.ts";
import { importProofKey, type ProofKey } from "./proof-key.ts";

/** Tokens that a server issued. */
export type IssuedTokens = {
  accessToken: string;
  /** Undefined where the server sent none, or, at a refresh, keeps the one before. */
  refreshToken: string | undefined;
  /** Undefined where the server does not say. */
  expiresInSeconds: number | undefined;
  scopes: readonly string[] | undefined;
  /** The ID token, as it is; undefined where the server sent none, or one that is too long. */
  idToken: string | undefined;
};

/** The error code with which a server refused, and the host of that server. */
type Refusal = { refused: string; host: string };

/** Tokens, or a refusal. */
export type TokenOutcome = { tokens: IssuedTokens } | Refusal;

type Parties = {
  server: OAuthServer;
  client: OAuthClient;
  /** The key that the tokens are bound to; absent for bearer tokens. */
  proofKey?: ProofKey | undefined;
};

/** A response to an authorization request, as the browser brought it. */
export type CodeResponse = {
  parameters: URLSearchParams;
  state: string;
  redirectUri: string;
  verifier: string;
};

type Library = typeof oauth;

/**
 * Exchanges the code of an authorization response. `refused` also for a response that is an error, that is another server's
 * (`iss-mismatch`), or not to this request. Throws an UpstreamError.
 */
export const exchangeCode = (
  calls: OAuthCalls,
  parties: Parties,
  { parameters, state, redirectUri, verifier }: CodeResponse,
): Promise<TokenOutcome> =>
  request(calls, parties, async (library, { as, of, authenticate, options }) => {
    if (!isFromIssuer(parties.server, parameters.get("iss"))) return "iss-mismatch";
    const valid = library.validateAuthResponse(
      { ...as, issuer: parameters.get("iss") ?? as.issuer },
      of,
      parameters,
      state,
    );
    const response = await library.authorizationCodeGrantRequest(
      as,
      of,
      authenticate,
      valid,
      redirectUri,
      verifier,
      options,
    );
    return library.processAuthorizationCodeResponse(as, of, response);
  });

/** Gets new tokens with a refresh token. Throws an UpstreamError. */
export const refreshTokens = (
  calls: OAuthCalls,
  parties: Parties,
  refreshToken: string,
): Promise<TokenOutcome> =>
  request(calls, parties, async (library, { as, of, authenticate, options }) =>
    library.processRefreshTokenResponse(
      as,
      of,
      await library.refreshTokenGrantRequest(as, of, authenticate, refreshToken, options),
    ),
  );

/** Gets tokens of the client itself. Throws an UpstreamError. */
export const requestClientTokens = (
  calls: OAuthCalls,
  parties: Parties,
  scopes: readonly string[],
): Promise<TokenOutcome> =>
  request(calls, parties, async (library, { as, of, authenticate, options, resource }) => {
    const response = await library.clientCredentialsGrantRequest(
      as,
      of,
      authenticate,
      { ...buildScope(parties, scopes), ...resource },
      options,
    );
    return library.processClientCredentialsResponse(as, of, response);
  });

const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** An assertion, or the refusal of the server that issues it. */
type Assertion = { assertion: string } | Refusal;

/**
 * Gets tokens for an assertion (RFC 7523, 2.1), which is provided again for a repeated request. `refused` also where there is none.
 * Throws an UpstreamError.
 */
export const requestAssertionTokens = async (
  calls: OAuthCalls,
  parties: Parties,
  { provide, scopes }: { provide: () => Assertion | Promise<Assertion>; scopes: readonly string[] },
): Promise<TokenOutcome> => {
  const other: { refusal?: Refusal } = {};
  const exchange: Work = async (library, { as, of, authenticate, options, resource }) => {
    const provided = await provide();
    if ("refused" in provided) {
      other.refusal = provided;
      return provided.refused;
    }
    const { assertion } = provided;
    const parameters = { assertion, ...buildScope(parties, scopes), ...resource };
    const response = await library.genericTokenEndpointRequest(
      as,
      of,
      authenticate,
      jwtBearer,
      parameters,
      options,
    );
    return library.processGenericTokenEndpointResponse(as, of, response);
  };
  const outcome = await request(calls, parties, exchange);
  return other.refusal ?? outcome;
};

const tokenTypes = {
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  assertionGrant: "urn:ietf:params:oauth:token-type:id-jag",
} as const;

/**
 * Exchanges an ID token at its identity provider for an assertion to the authorization server of a resource (ID-JAG). It is not repeated,
 * since the request that the assertion is for is repeated with it. Throws an UpstreamError.
 * @param server the authorization server that the assertion is for
 */
export const exchangeIdToken = async (
  calls: OAuthCalls,
  provider: Pick<Parties, "server" | "client">,
  { idToken, server, scopes }: { idToken: string; server: OAuthServer; scopes: readonly string[] },
): Promise<Assertion> => {
  const grant = "urn:ietf:params:oauth:grant-type:token-exchange";
  const parameters = {
    requested_token_type: tokenTypes.assertionGrant,
    audience: server.issuer ?? new URL(server.tokenEndpoint).origin,
    ...(server.resource !== null && { resource: server.resource }),
    ...buildScope({ server }, scopes),
    subject_token: idToken,
    subject_token_type: tokenTypes.idToken,
  };
  const exchange: Work = async (library, { as, of, authenticate, options }) => {
    const response = await library.genericTokenEndpointRequest(
      as,
      of,
      authenticate,
      grant,
      parameters,
      options,
    );
    // The assertion is not an access token, which RFC 8693 calls the type N_A.
    const recognizedTokenTypes = { n_a: () => {} };
    const found = await library.processGenericTokenEndpointResponse(as, of, response, {
      recognizedTokenTypes,
    });
    return found.issued_token_type === tokenTypes.assertionGrant ? found : "unsupported-token-type";
  };
  const outcome = await attempt(calls, provider, exchange, (_, work) => work());
  return "refused" in outcome ? outcome : { assertion: outcome.response.access_token };
};

/** Returns the scopes of a config, or else those that the resource asks for, as a parameter. */
const buildScope = (
  { server }: Pick<Parties, "server">,
  scopes: readonly string[],
): Record<string, string> => {
  const wanted = scopes.length > 0 ? scopes : server.scopes;
  return wanted.length > 0 ? { scope: wanted.join(" ") } : {};
};

/** Tokens of one grant. */
type Granted = { accessToken: string; refreshToken?: string | null | undefined };

/**
 * Revokes tokens (RFC 7009): the refresh token, with which servers revoke the access token, too, or the access token where
 * there is no other. Nothing where the server has no such endpoint. Throws an UpstreamError, also where the server refuses.
 */
export const revokeTokens = async (
  calls: OAuthCalls,
  parties: Parties,
  { accessToken, refreshToken }: Granted,
): Promise<void> => {
  const endpoint = parties.server.revocationEndpoint;
  if (endpoint === null) return;
  const library = await import("oauth4webapi");
  const { as, of, options } = prepare(library, calls, parties);
  const authenticate = authenticateClient(library, parties, endpoint);
  const { host } = new URL(endpoint);
  const hint = refreshToken ? "refresh_token" : "access_token";
  const sent = { ...options, additionalParameters: { token_type_hint: hint } };
  try {
    const token = refreshToken || accessToken;
    const { ok, status } = await repeatOnce(calls, () =>
      library.revocationRequest(as, of, authenticate, token, sent),
    );
    if (ok) return;
    const message = `${host} refused to revoke the tokens of the connection with status ${status}.`;
    throw new UpstreamError(message, { upstream: host, upstreamStatus: status });
  } catch (error) {
    throw toOAuthFailure(error, host);
  }
};

/** Returns whether an `iss` may be that of the server; without a known issuer it must have the server's origin. */
const isFromIssuer = (
  { issuer, sendsIssuer, authorizationEndpoint }: OAuthServer,
  iss: string | null,
): boolean => {
  if (iss === null) return !sendsIssuer;
  if (issuer !== null) return iss === issuer;
  const origin = parseAddress(iss)?.origin;
  return origin !== undefined && origin === parseAddress(authorizationEndpoint ?? "")?.origin;
};

type Prepared = ReturnType<typeof prepare>;

/** Sends requests to a token endpoint; a text is the code of a refusal. */
type Work = (library: Library, prepared: Prepared) => Promise<oauth.TokenEndpointResponse | string>;

const request = async (calls: OAuthCalls, parties: Parties, work: Work): Promise<TokenOutcome> => {
  const outcome = await attempt(calls, parties, work);
  if ("refused" in outcome) return outcome;
  const { response, idToken } = outcome;
  if (response.token_type !== (parties.proofKey === undefined ? "bearer" : "dpop"))
    return { refused: "unsupported-token-type", host: findHost(parties) };
  const { access_token, refresh_token, expires_in, scope } = response;
  return {
    tokens: {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresInSeconds: expires_in,
      scopes: scope?.split(" ").filter((name) => name !== ""),
      idToken,
    },
  };
};

type Attempt = { response: oauth.TokenEndpointResponse; idToken: string | undefined } | Refusal;

const findHost = ({ server }: Pick<Parties, "server">): string =>
  new URL(server.tokenEndpoint).host;

const attempt = async (
  calls: OAuthCalls,
  parties: Parties,
  work: Work,
  repeat: typeof repeatOnce = repeatOnce,
): Promise<Attempt> => {
  const library = await import("oauth4webapi");
  const host = findHost(parties);
  try {
    const prepared = prepare(library, calls, parties);
    const wantsNonce = (error: unknown) => prepared.isBound && library.isDPoPNonceError(error);
    const outcome = await repeat(calls, () => work(library, prepared), wantsNonce);
    if (typeof outcome === "string") return { refused: outcome, host };
    return { response: outcome, idToken: prepared.received.idToken };
  } catch (error) {
    // It says nothing about the grant: the next proof may be right.
    if (refusesProof(library, error)) {
      const message = `${host} refused the proof of the key that tokens are bound to.`;
      throw new UpstreamError(message, { upstream: host }, { cause: error });
    }
    const busyStatus = findBusyStatus(library, error);
    if (busyStatus !== undefined) {
      const message = `${host} is temporarily unavailable.`;
      throw new UpstreamError(message, { upstream: host, upstreamStatus: busyStatus });
    }
    const refused = findRefusal(library, error);
    if (refused !== undefined) return { refused, host };
    throw toOAuthFailure(error, host);
  }
};

const refusesProof = (library: Library, error: unknown): boolean =>
  library.isDPoPNonceError(error) ||
  (error instanceof library.ResponseBodyError && error.error === "invalid_dpop_proof");

const busyCodes: ReadonlySet<string> = new Set([
  "temporarily_unavailable",
  "server_error",
  "slow_down",
]);

/** Returns the status of a response of a server that may respond otherwise later; undefined for another. */
const findBusyStatus = (library: Library, error: unknown): number | undefined => {
  const isError = error instanceof library.ResponseBodyError;
  if (!isError && !(error instanceof library.WWWAuthenticateChallengeError)) return undefined;
  const isBusy = error.status === 429 || (isError && busyCodes.has(error.error));
  return isBusy ? error.status : undefined;
};

const knownCode = /^[a-z_]{1,64}$/;

/** Returns the code of a server's refusal; its own texts are not kept. */
const findRefusal = (library: Library, error: unknown): string | undefined => {
  if (error instanceof library.WWWAuthenticateChallengeError) return "invalid_client";
  const isRefusal =
    error instanceof library.ResponseBodyError ||
    error instanceof library.AuthorizationResponseError;
  if (!isRefusal) return undefined;
  return knownCode.test(error.error) ? error.error : "refused";
};

const prepare = (library: Library, calls: OAuthCalls, parties: Parties) => {
  const { server, client, proofKey } = parties;
  const { issuer, tokenEndpoint, revocationEndpoint } = server;
  const as: oauth.AuthorizationServer = {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    ...(revocationEndpoint !== null && { revocation_endpoint: revocationEndpoint }),
  };
  const fetchPlain = createSingleFetch(calls);
  const received: { idToken: string | undefined } = { idToken: undefined };
  const resource: Record<string, string> = server.resource ? { resource: server.resource } : {};
  return {
    as,
    // The library requires an id, also where none is sent.
    of: { client_id: client.id || "none" },
    authenticate: authenticateClient(library, parties, tokenEndpoint),
    resource,
    isBound: proofKey !== undefined,
    /** Of the last response. */
    received,
    options: {
      additionalParameters: resource,
      ...(proofKey && { DPoP: library.DPoP({}, importProofKey(proofKey)) }),
      // Whether http is allowed is up to the settings of outgoing calls.
      [library.allowInsecureRequests]: true,
      [library.customFetch]: async (
        url: string,
        init: oauth.CustomFetchOptions<"POST", URLSearchParams>,
      ) => {
        const { response, idToken } = await tidy(await fetchPlain(url, init));
        received.idToken = idToken;
        return response;
      },
    },
  };
};

/**
 * Takes the ID token out, which is only for its identity provider to verify, and gives an error with status 200 the status of an
 * error.
 */
const tidy = async (
  response: Response,
): Promise<{ response: Response; idToken: string | undefined }> => {
  const text = await response.text();
  const parsed = parseJson(text);
  const { status, headers } = response;
  if (!parsed.ok || !isRecord(parsed.value)) {
    return { response: new Response(text || null, { status, headers }), idToken: undefined };
  }
  const { id_token: idToken, ...members } = parsed.value;
  const isError = status === 200 && typeof members.error === "string" && !members.access_token;
  const init = { status: isError ? 400 : status, headers };
  return {
    response: new Response(JSON.stringify(members), init),
    idToken: isIdToken(idToken) ? idToken : undefined,
  };
};

/** As in the config: it is stored with other tokens, in one item. */
const maxIdTokenLength = 16_384;

const isIdToken = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= maxIdTokenLength;
