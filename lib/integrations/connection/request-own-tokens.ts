import type { PublishedOAuth } from "../config/read-published-config.ts";
import type { SignIn } from "../oauth/oauth-server.ts";
import { noClient, type OAuthClient, type OAuthServer } from "../oauth/oauth-server.ts";
import type { ProofKey } from "../oauth/proof-key.ts";
import {
  requestAssertionTokens,
  requestClientTokens,
  type TokenOutcome,
} from "../oauth/request-tokens.ts";
import { signAssertion } from "../oauth/sign-assertion.ts";
import { type ConnectionDeps, readClient } from "./connection-deps.ts";
import { requestSignedInTokens } from "./request-signed-in-tokens.ts";

type Parties = { server: OAuthServer; client: OAuthClient; proofKey?: ProofKey | undefined };

/** Returns the client of tokens without a person; undefined for a config without the one that its grant needs. */
export const readOwnClient = (oauth: PublishedOAuth): OAuthClient | undefined =>
  readClient(oauth) ?? (oauth.grant === "jwt-bearer" ? noClient : undefined);

/**
 * Gets tokens without a person: those of the client itself, for an assertion, or for a sign-in that is given. Throws an
 * UpstreamError.
 */
export const requestOwnTokens = (
  deps: ConnectionDeps,
  { oauth, signIn, ...parties }: Parties & { oauth: PublishedOAuth; signIn?: SignIn | undefined },
): Promise<TokenOutcome> => {
  const { scopes } = oauth;
  if (signIn) return requestSignedInTokens(deps, { ...parties, signIn, scopes });
  if (oauth.grant !== "jwt-bearer") return requestClientTokens(deps, parties, scopes);
  const provide = () => ({ assertion: buildAssertion(deps, oauth, parties) });
  return requestAssertionTokens(deps, parties, { provide, scopes });
};

const buildAssertion = (
  { runtime }: Pick<ConnectionDeps, "runtime">,
  { assertion, assertionPrivateKey, assertionKeyId, assertionClaims, clientId }: PublishedOAuth,
  { server }: Parties,
): string => {
  if (assertionPrivateKey === null) return assertion ?? "";
  const aud = server.issuer ?? server.tokenEndpoint;
  const defaults = { ...(clientId !== null && { iss: clientId }), aud };
  const signer = {
    privateKey: assertionPrivateKey,
    keyId: assertionKeyId,
    claims: assertionClaims ?? {},
  };
  return signAssertion(runtime, signer, defaults);
};
