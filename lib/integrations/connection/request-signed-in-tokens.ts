import type { IdentityProvider, OAuthClient, OAuthServer, SignIn } from "../oauth/oauth-server.ts";
import type { ProofKey } from "../oauth/proof-key.ts";
import {
  exchangeIdToken,
  requestAssertionTokens,
  type TokenOutcome,
} from "../oauth/request-tokens.ts";
import type { ConnectionDeps } from "./connection-deps.ts";

/** Length of a refresh token that is kept: it is stored with the tokens of the service, in one item. */
const maxLength = 16_384;

/** Returns a sign-in as it is stored. A refresh token that is too long is not kept. */
export const toSignIn = (
  { server, client }: IdentityProvider,
  { idToken, refreshToken }: Pick<SignIn, "idToken" | "refreshToken">,
): SignIn => ({
  server,
  client,
  idToken,
  refreshToken: (refreshToken?.length ?? 0) > maxLength ? null : refreshToken,
});

/**
 * Gets tokens of a person who signed in at the identity provider: exchanges the ID token for an assertion, and that for the tokens.
 * Throws an UpstreamError.
 * @param input `server`, `client`: of the tokens
 */
export const requestSignedInTokens = (
  deps: ConnectionDeps,
  {
    signIn,
    scopes,
    ...parties
  }: {
    signIn: SignIn;
    scopes: readonly string[];
    server: OAuthServer;
    client: OAuthClient;
    proofKey?: ProofKey | undefined;
  },
): Promise<TokenOutcome> => {
  const { idToken } = signIn;
  const { server } = parties;
  const provide = () => exchangeIdToken(deps, signIn, { idToken, server, scopes });
  return requestAssertionTokens(deps, parties, { provide, scopes });
};
