import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { createOAuthFetch, type OAuthCalls, toOAuthFailure } from "./oauth-fetch.ts";
import { describeClient } from "./oauth-paths.ts";
import type { OAuthClient, OAuthServer } from "./oauth-server.ts";

/** Registers a client with a server (RFC 7591). Throws an UpstreamError. */
export const registerClient = async (
  calls: OAuthCalls,
  { registrationEndpoint, issuer, tokenEndpoint }: OAuthServer,
  redirectUri: string,
): Promise<OAuthClient> => {
  const library = await import("oauth4webapi");
  const { host } = new URL(registrationEndpoint ?? tokenEndpoint);
  const fetch = createOAuthFetch(calls);
  const as = {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    registration_endpoint: registrationEndpoint ?? "",
  };
  try {
    const response = await library.dynamicClientRegistrationRequest(
      as,
      describeClient(redirectUri),
      {
        [library.allowInsecureRequests]: true,
        [library.customFetch]: (url, init) => fetch(url, init),
      },
    );
    const registered = await library.processDynamicClientRegistrationResponse(response);
    const { client_id: id, client_secret: secret } = registered;
    return { id, secret: typeof secret === "string" ? secret : null, authentication: null };
  } catch (error) {
    if (error instanceof library.ResponseBodyError) {
      const message = `${host} did not register a client: set clientId in the config.`;
      throw new UpstreamError(message, { upstream: host, upstreamStatus: error.status });
    }
    throw toOAuthFailure(error, host);
  }
};
