import { failed } from "../exit.ts";
import { callIssuer, type SignInConfig } from "./issuer.ts";

/** A user token, and what renews it. */
export type SignedIn = {
  token: string;
  /** Unix milliseconds; null if the issuer does not return it. */
  expiresAt: number | null;
  renewal: Renewal | null;
};

/** The parameters that renew a user token. */
export type Renewal = {
  tokenEndpoint: string;
  clientId: string;
  refreshToken: string;
  bearer: SignInConfig["bearer"];
};

/** Where tokens come from. */
export type TokenSource = Omit<Renewal, "refreshToken">;

type Members = Readonly<Record<string, unknown>>;

/** Requests tokens; undefined with the issuer's error when it refuses. */
const requestTokens = async (
  source: TokenSource,
  form: Readonly<Record<string, string>>,
): Promise<{ signedIn: SignedIn } | { error: string }> => {
  const { tokenEndpoint, clientId, bearer } = source;
  const { isDone, body } = await callIssuer(tokenEndpoint, { ...form, client_id: clientId });
  const token = body[bearer];
  if (!isDone || typeof token !== "string") return { error: formatError(body) };
  const refreshToken =
    typeof body.refresh_token === "string" ? body.refresh_token : form.refresh_token;
  return {
    signedIn: {
      token,
      expiresAt: typeof body.expires_in === "number" ? Date.now() + body.expires_in * 1_000 : null,
      renewal: refreshToken === undefined ? null : { ...source, refreshToken },
    },
  };
};

const formatError = (body: Members): string => {
  const { error, error_description: detail } = body;
  const parts = [error, detail].filter((part) => typeof part === "string");
  return parts.length === 0 ? "no token" : parts.join(": ");
};

/** Exchanges an authorization code. */
export const redeemCode = async (
  source: TokenSource,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<SignedIn> => {
  const result = await requestTokens(source, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  if ("error" in result) throw failed(`The sign-in failed: ${result.error}.`);
  return result.signedIn;
};

/** Asks once whether a device code was approved. */
export const redeemDeviceCode = (source: TokenSource, deviceCode: string) =>
  requestTokens(source, {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: deviceCode,
  });

/** Renews a user token; undefined when the issuer refuses, because the session has ended. */
export const renewToken = async ({
  refreshToken,
  ...source
}: Renewal): Promise<SignedIn | undefined> => {
  const form = { grant_type: "refresh_token", refresh_token: refreshToken };
  const result = await requestTokens(source, form);
  return "error" in result ? undefined : result.signedIn;
};
