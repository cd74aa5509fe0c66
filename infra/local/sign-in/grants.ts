import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { UserTokenClaims } from "../issuer.ts";

/** A user who signed in. */
export type SignedIn = Pick<UserTokenClaims, "org" | "role" | "user">;

/** An authorization request that the user accepted. */
export type Accepted = {
  clientId: string;
  redirectUri: string;
  codeChallenge: string;
  nonce: string | undefined;
  /** The URL that its tokens are for alone; undefined for the API. */
  resource: string | undefined;
  scopes: readonly string[];
  signedIn: SignedIn;
};

/**
 * A sign-in of a client, with the data of its tokens. `session` is the same for all of its refresh
 * tokens.
 */
export type Grant = Pick<Accepted, "clientId" | "nonce" | "resource" | "scopes" | "signedIn"> & {
  session: string;
};

/** Codes and refresh tokens of this process, which are valid once. */
export type Grants = {
  createCode: (accepted: Accepted) => string;
  /** Returns the grant of a code; undefined if it is unknown, used, expired or not this client's. */
  redeemCode: (request: CodeRequest) => Grant | undefined;
  createRefreshToken: (grant: Grant) => string;
  redeemRefreshToken: (token: string, clientId: string) => Grant | undefined;
  /** Invalidates all refresh tokens of a session. */
  endSession: (session: string) => void;
};

/** Parameters of a token request with a code. */
export type CodeRequest = {
  code: string;
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
};

const codeMilliseconds = 60_000;
const sessionMilliseconds = 30 * 24 * 3_600_000;

const newSecret = (): string => randomBytes(32).toString("base64url");

const matchesChallenge = (challenge: string, verifier: string): boolean => {
  const actual = createHash("sha256").update(verifier).digest();
  const expected = Buffer.from(challenge, "base64url");
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

type Code = { grant: Grant; accepted: Accepted; expiresAt: number; isUsed: boolean };
type RefreshToken = { grant: Grant; expiresAt: number; isUsed: boolean };

/** Creates an empty set of grants. A code or refresh token that is used again ends its session. */
export const createGrants = (clock: () => number = Date.now): Grants => {
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, RefreshToken>();

  const endSession = (session: string): void => {
    for (const [token, { grant }] of refreshTokens) {
      if (grant.session === session) refreshTokens.delete(token);
    }
  };
  const removeExpired = (): void => {
    for (const entries of [codes, refreshTokens]) {
      for (const [key, { expiresAt }] of entries) if (expiresAt <= clock()) entries.delete(key);
    }
  };
  /** Marks an entry as used; undefined if it does not exist, has expired or was used. */
  const useOnce = <Entry extends Code | RefreshToken>(
    entry: Entry | undefined,
  ): Entry | undefined => {
    if (!entry || entry.expiresAt <= clock()) return undefined;
    if (entry.isUsed) {
      endSession(entry.grant.session);
      return undefined;
    }
    entry.isUsed = true;
    return entry;
  };

  return {
    createCode: (accepted) => {
      removeExpired();
      const { clientId, nonce, resource, scopes, signedIn } = accepted;
      const code = newSecret();
      codes.set(code, {
        grant: { clientId, nonce, resource, scopes, signedIn, session: newSecret() },
        accepted,
        expiresAt: clock() + codeMilliseconds,
        isUsed: false,
      });
      return code;
    },
    redeemCode: ({ code, clientId, redirectUri, codeVerifier }) => {
      const entry = useOnce(codes.get(code));
      if (!entry) return undefined;
      const { accepted, grant } = entry;
      const fits =
        accepted.clientId === clientId &&
        accepted.redirectUri === redirectUri &&
        matchesChallenge(accepted.codeChallenge, codeVerifier);
      return fits ? grant : undefined;
    },
    createRefreshToken: (grant) => {
      const token = newSecret();
      const expiresAt = clock() + sessionMilliseconds;
      refreshTokens.set(token, { grant, expiresAt, isUsed: false });
      return token;
    },
    redeemRefreshToken: (token, clientId) => {
      const found = refreshTokens.get(token);
      if (found?.grant.clientId !== clientId) return undefined;
      return useOnce(found)?.grant;
    },
    endSession,
  };
};
