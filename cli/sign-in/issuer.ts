import { isUnencrypted } from "../address.ts";
import { failed } from "../exit.ts";
import { toNetworkError } from "../network-error.ts";
import { parseJson } from "../parse-json.ts";

/** Where the users of a deployment sign in. */
export type SignInConfig = {
  issuer: string;
  clientId: string;
  /** The token that the API accepts. */
  bearer: "access_token" | "id_token";
  /** Audience that access tokens are requested for. */
  audience: string | undefined;
  /** Slug of the tenant that is opened first. */
  tenant: string | undefined;
};

/** Endpoints of an OpenID Connect issuer. */
export type IssuerMetadata = {
  authorizationEndpoint: string;
  tokenEndpoint: string;
  deviceEndpoint: string | undefined;
};

const timeLimitSeconds = 30;

type Members = Readonly<Record<string, unknown>>;

/** Calls an issuer and returns its JSON object, and whether the status is 200 to 299. */
export const callIssuer = async (
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<{ isDone: boolean; body: Members }> => {
  const signal = AbortSignal.timeout(timeLimitSeconds * 1_000);
  const request = form ? { method: "POST", body: new URLSearchParams(form) } : {};
  try {
    const response = await fetch(url, { ...request, redirect: "error", signal });
    const value = parseJson(await response.text());
    const body = typeof value === "object" && value !== null ? { ...value } : {};
    return { isDone: response.ok, body };
  } catch (error) {
    throw toNetworkError(error, new URL(url).origin, timeLimitSeconds);
  }
};

const asNonEmptyString = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Reads where the users of a deployment sign in, from its console; undefined if it has none. */
export const readSignInConfig = async (baseUrl: string): Promise<SignInConfig | undefined> => {
  const { isDone, body } = await callIssuer(`${new URL(baseUrl).origin}/console/config.json`);
  const issuer = asNonEmptyString(body.issuer);
  const clientId = asNonEmptyString(body.cliClientId) ?? asNonEmptyString(body.clientId);
  if (!isDone || issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    bearer: body.bearer === "access_token" ? "access_token" : "id_token",
    audience: asNonEmptyString(body.audience),
    tenant: asNonEmptyString(body.tenant),
  };
};

/** Reads the endpoints of an issuer (OpenID Connect Discovery). Only https, or http on this machine. */
export const readIssuer = async (issuer: string): Promise<IssuerMetadata> => {
  requireEncrypted(issuer, [issuer]);
  const base = issuer.endsWith("/") ? issuer.slice(0, -1) : issuer;
  const { isDone, body } = await callIssuer(`${base}/.well-known/openid-configuration`);
  const authorizationEndpoint = asNonEmptyString(body.authorization_endpoint);
  const tokenEndpoint = asNonEmptyString(body.token_endpoint);
  if (!isDone || body.issuer !== issuer || !authorizationEndpoint || !tokenEndpoint) {
    throw failed(`${issuer} is not an OpenID Connect issuer.`);
  }
  const deviceEndpoint = asNonEmptyString(body.device_authorization_endpoint);
  requireEncrypted(issuer, [authorizationEndpoint, tokenEndpoint, deviceEndpoint ?? issuer]);
  return { authorizationEndpoint, tokenEndpoint, deviceEndpoint };
};

/** Throws for an address that a code or token would reach unencrypted. */
const requireEncrypted = (issuer: string, urls: readonly string[]): void => {
  if (urls.every((url) => URL.canParse(url) && !isUnencrypted(url))) return;
  throw failed(`The issuer ${issuer} has an address that is not https.`);
};
