import type { Config } from "../settings/config.ts";

/** Where users of the console sign in: the content of `/console/config.json`. */
export type ConsoleSignIn = {
  issuer: string;
  clientId: string;
  /** Client of the command-line tool, if that is another one. */
  cliClientId?: string;
  /** The token that the API accepts. */
  bearer: "access_token" | "id_token";
  /** Audience that access tokens are requested for. */
  audience?: string;
  /** Claim with the user's role. */
  roleClaim: string;
  /** Logout endpoint of Cognito, which does not support RP-initiated logout of OpenID Connect. */
  cognitoLogout?: string;
  /** Slug of the tenant that is opened first. */
  tenant?: string;
};

/**
 * Returns the sign-in at OIDC_ISSUER: its ID token if the API's audience is the console's client, otherwise an access
 * token for that audience.
 */
export const externalSignIn = (config: Config): ConsoleSignIn => {
  const { OIDC_ISSUER: issuer = "", OIDC_AUDIENCE: audience = "" } = config;
  const clientId = config.OIDC_CLIENT_ID ?? audience;
  const roleClaim = config.OIDC_ROLE_CLAIM ?? "role";
  return clientId === audience
    ? { issuer, clientId, roleClaim, bearer: "id_token" }
    : { issuer, clientId, roleClaim, bearer: "access_token", audience };
};
