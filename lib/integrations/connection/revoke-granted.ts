import { revokeTokens } from "../oauth/request-tokens.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import type { StoredTokens } from "./seal-tokens.ts";

/** Revokes tokens, and the sign-in at the identity provider by which they were issued. Throws as `revokeTokens`, after both. */
export const revokeGranted = async (
  deps: ConnectionDeps,
  { signIn, ...tokens }: StoredTokens,
): Promise<void> => {
  const refreshToken = signIn?.refreshToken ?? null;
  const outcomes = await Promise.allSettled([
    revokeTokens(deps, tokens, tokens),
    ...(signIn && refreshToken !== null
      ? [revokeTokens(deps, signIn, { accessToken: "", refreshToken })]
      : []),
  ]);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
};
