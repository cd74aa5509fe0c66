import { createHash, randomBytes } from "node:crypto";
import { failed } from "../exit.ts";
import type { Io } from "../io.ts";
import { printMessage } from "../output.ts";
import type { IssuerMetadata, SignInConfig } from "./issuer.ts";
import { startLoopback } from "./loopback.ts";
import { redeemCode, type SignedIn } from "./tokens.ts";

/** Returns the scopes to request: with `openid` alone, the ID token of a user pool has all attributes. */
export const selectScope = ({ bearer }: SignInConfig): string =>
  bearer === "id_token" ? "openid" : "openid email offline_access";

/** Signs in with the browser: authorization code with PKCE (RFC 7636), returned to a loopback address (RFC 8252). */
export const signInWithBrowser = async (
  config: SignInConfig,
  { authorizationEndpoint, tokenEndpoint }: IssuerMetadata,
  io: Io,
): Promise<SignedIn> => {
  const { clientId, bearer, audience } = config;
  const state = randomText();
  const verifier = randomText();
  const loopback = await startLoopback(state, io.interrupt());
  try {
    const { redirectUri } = loopback;
    const url = new URL(authorizationEndpoint);
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: selectScope(config),
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...(audience !== undefined && { audience }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    printMessage(io, "Sign in with your browser. If it does not open, go to this address:");
    printMessage(io, url.href);
    io.openBrowser(url.href);
    const received = await loopback.parameters;
    const code = received.get("code");
    if (code === null) {
      const reason = received.get("error_description") ?? received.get("error") ?? "no code";
      throw failed(`The sign-in failed: ${reason}.`);
    }
    return await redeemCode({ tokenEndpoint, clientId, bearer }, { code, verifier, redirectUri });
  } finally {
    loopback.close();
  }
};

const randomText = (): string => randomBytes(32).toString("base64url");
