import * as z from "zod";
import { type IssuerKey, mintIdToken, mintUserToken } from "../issuer.ts";
import type { Grant, Grants } from "./grants.ts";

const Request = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("authorization_code"),
    code: z.string(),
    client_id: z.string(),
    redirect_uri: z.string(),
    code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/),
    resource: z.string().optional(),
  }),
  z.object({
    grant_type: z.literal("refresh_token"),
    refresh_token: z.string(),
    client_id: z.string(),
    resource: z.string().optional(),
  }),
]);

/** A response of the token endpoint (RFC 6749, 5). */
export type TokenResponse = { status: 200 | 400; body: Readonly<Record<string, unknown>> };

type TokenIssuing = { grants: Grants; key: IssuerKey; origin: string };

const accessTokenSeconds = 3_600;

const refused = (error: string, description: string): TokenResponse => ({
  status: 400,
  body: { error, error_description: description },
});

/** Exchanges a code or a refresh token for tokens. */
export const respondWithTokens = async (
  parameters: URLSearchParams,
  issuing: TokenIssuing,
): Promise<TokenResponse> => {
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) {
    return refused("invalid_request", "A parameter is repeated.");
  }
  const type = parameters.get("grant_type");
  if (type !== null && type !== "authorization_code" && type !== "refresh_token") {
    return refused("unsupported_grant_type", `The grant type "${type}" is not supported.`);
  }
  const parsed = Request.safeParse(Object.fromEntries(parameters));
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join("."));
    return refused("invalid_request", `Missing or invalid: ${names.join(", ")}.`);
  }
  const grant = redeem(parsed.data, issuing.grants);
  if (!grant) {
    return refused(
      "invalid_grant",
      "The code or token is unknown, used, expired or of another client.",
    );
  }
  const { resource } = parsed.data;
  if (resource !== undefined && resource !== grant.resource) {
    return refused("invalid_target", "The user has not signed in for this resource.");
  }
  return { status: 200, body: await issueTokens(grant, issuing) };
};

const redeem = (request: z.output<typeof Request>, grants: Grants): Grant | undefined => {
  const { client_id: clientId } = request;
  if (request.grant_type === "refresh_token") {
    return grants.redeemRefreshToken(request.refresh_token, clientId);
  }
  const { code, redirect_uri: redirectUri, code_verifier: codeVerifier } = request;
  return grants.redeemCode({ code, clientId, redirectUri, codeVerifier });
};

const issueTokens = async (
  grant: Grant,
  { grants, key, origin }: TokenIssuing,
): Promise<Record<string, unknown>> => {
  const { clientId, nonce, resource, scopes, session, signedIn } = grant;
  const scope = scopes.join(" ");
  const audience = resource === undefined ? undefined : { resource, scope };
  const ttlSeconds = accessTokenSeconds;
  const idClaims = { issuer: origin, clientId, user: signedIn.user, nonce, session, ttlSeconds };
  return {
    access_token: await mintUserToken(key, { ...signedIn, audience, ttlSeconds }),
    id_token: await mintIdToken(key, idClaims),
    refresh_token: grants.createRefreshToken(grant),
    token_type: "Bearer",
    expires_in: ttlSeconds,
    scope,
  };
};
