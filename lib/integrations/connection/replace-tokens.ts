import { asksPerson } from "../config/oauth-settings.ts";
import type { PublishedOAuth } from "../config/read-published-config.ts";
import type { SignIn } from "../oauth/oauth-server.ts";
import { refreshTokens, type TokenOutcome } from "../oauth/request-tokens.ts";
import { type ConnectionDeps, chooseIdentityClient } from "./connection-deps.ts";
import { requestOwnTokens } from "./request-own-tokens.ts";
import { requestSignedInTokens, toSignIn } from "./request-signed-in-tokens.ts";
import type { StoredTokens } from "./seal-tokens.ts";

/** Tokens in place of others, with the sign-in by which they were issued. */
export type ReplacedTokens = TokenOutcome & {
  signIn?: SignIn | undefined;
  /** Whether the refresh token before is not of these tokens. */
  isNewGrant?: boolean;
};

type Request = {
  oauth: PublishedOAuth;
  before: StoredTokens;
  /** Scopes that were asked for. */
  scopes: readonly string[];
  /** Stores a sign-in before it is used. Returns false when the connection has another holder, or was deleted. */
  keep: (signIn: SignIn) => Promise<boolean>;
};

/**
 * Gets tokens in place of those before: by the refresh token, by the sign-in at the identity provider, or without a person.
 * Undefined where the sign-in was renewed, but could not be kept. Throws an UpstreamError.
 */
export const replaceTokens = async (
  deps: ConnectionDeps,
  { oauth, before, scopes, keep }: Request,
): Promise<ReplacedTokens | undefined> => {
  const { refreshToken } = before;
  switch (oauth.grant) {
    case "authorization_code":
      return refreshTokens(deps, before, refreshToken ?? "");
    case "client_credentials":
      return requestOwnTokens(deps, { oauth, ...before });
    case "jwt-bearer": {
      const refreshed =
        refreshToken === null ? undefined : await refreshTokens(deps, before, refreshToken);
      // The assertion may be valid when the refresh token is not.
      return refreshed && !("refused" in refreshed)
        ? refreshed
        : { ...(await requestOwnTokens(deps, { oauth, ...before })), isNewGrant: true };
    }
    case "id-jag": {
      const renewed = await renewSignIn(deps, { oauth, before });
      if ("refused" in renewed) return renewed;
      const { signIn } = renewed;
      if (asksPerson(oauth) && !(await keep(signIn))) return undefined;
      const outcome = await requestSignedInTokens(deps, { ...before, signIn, scopes });
      return { ...outcome, signIn, isNewGrant: true };
    }
  }
};

/** Renews the ID token by the refresh token of the identity provider, or takes that which the config has by now. */
const renewSignIn = async (
  deps: ConnectionDeps,
  { oauth, before: { signIn: stored } }: Pick<Request, "oauth" | "before">,
): Promise<{ signIn: SignIn } | Extract<TokenOutcome, { refused: string }>> => {
  if (!stored) throw new Error("the tokens have no sign-in");
  const signIn = { ...stored, client: chooseIdentityClient(oauth, stored.client) };
  if (oauth.idToken !== null) return { signIn: { ...signIn, idToken: oauth.idToken } };
  if (signIn.refreshToken === null) return { signIn };
  const outcome = await refreshTokens(deps, signIn, signIn.refreshToken);
  if ("refused" in outcome) return outcome;
  // Servers may keep the ID token at a refresh: they accept the one before as long as the session lasts.
  const { idToken = signIn.idToken, refreshToken = signIn.refreshToken } = outcome.tokens;
  return { signIn: toSignIn(signIn, { idToken, refreshToken }) };
};
