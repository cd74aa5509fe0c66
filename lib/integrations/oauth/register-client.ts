import * as z from "zod";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { createOAuthFetch, type OAuthCalls, toOAuthFailure } from "./oauth-fetch.ts";
import { describeClient } from "./oauth-paths.ts";
import { type OAuthClient, type OAuthServer, toPlainClient } from "./oauth-server.ts";

/** Of a registered client. Servers leave out members that RFC 7591 requires, so only those that are needed are. */
const Registered = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().nullish(),
  token_endpoint_auth_method: z.string().nullish(),
});

type Registered = z.output<typeof Registered>;

/** Authentications of clients with a secret, by the names of their methods. */
const authentications = { client_secret_basic: "basic", client_secret_post: "post" } as const;

/**
 * Registers a client with a server (RFC 7591): one without a secret, unless the server accepts only clients with one. Throws
 * an UpstreamError.
 */
export const registerClient = async (
  calls: OAuthCalls,
  { registrationEndpoint, issuer, tokenEndpoint, clientAuthentications }: OAuthServer,
  redirectUri: string,
): Promise<OAuthClient> => {
  const library = await import("oauth4webapi");
  const { host } = new URL(registrationEndpoint ?? tokenEndpoint);
  const fetch = createOAuthFetch(calls);
  const as = {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    registration_endpoint: registrationEndpoint ?? "",
  };
  const method = chooseMethod(clientAuthentications);
  try {
    const response = await library.dynamicClientRegistrationRequest(
      as,
      { ...describeClient(redirectUri), token_endpoint_auth_method: method },
      {
        [library.allowInsecureRequests]: true,
        [library.customFetch]: (url, init) => fetch(url, init),
      },
    );
    if (!response.ok) {
      const message = `${host} did not register a client: set clientId in the config.`;
      throw new UpstreamError(message, { upstream: host, upstreamStatus: response.status });
    }
    return toClient(Registered.parse(await response.json()), method);
  } catch (error) {
    throw toOAuthFailure(error, host);
  }
};

const chooseMethod = (accepted: readonly string[] | null): string => {
  if (accepted === null || accepted.includes("none")) return "none";
  return Object.keys(authentications).find((name) => accepted.includes(name)) ?? "none";
};

/** A server may register another method than the one that was asked for. */
const toClient = (
  { client_id: id, client_secret: secret, token_endpoint_auth_method: own }: Registered,
  asked: string,
): OAuthClient => {
  if (!secret || own === "none") return toPlainClient(id, null, null);
  const method = own ?? asked;
  const authentication = isKnownMethod(method) ? authentications[method] : null;
  return toPlainClient(id, secret, authentication);
};

const isKnownMethod = (method: string): method is keyof typeof authentications =>
  Object.hasOwn(authentications, method);
