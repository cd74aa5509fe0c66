import { ambiguousCredentials, credentialsExpired, unauthenticated } from "../http/problems.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { Headers } from "../http/request.ts";
import { hashApiKey, isApiKey, type KeyPrefixes } from "./api-key-format.ts";
import { type CountDeps, orUncounted, reportCounterFailure, toWindow } from "./count-requests.ts";
import { linkAddress } from "./last-call-store.ts";
import type { Principal } from "./principal.ts";
import { counted } from "./rate-limit.ts";
import { countUserRequests, readKeyByHash, useKey, withinCounterTime } from "./store.ts";
import type { TokenReader } from "./user-token.ts";

/** Dependencies of authentication by keys. */
export type KeyAuthDeps = CountDeps & { prefixes: KeyPrefixes };
/** Dependencies of authentication. */
export type AuthDeps = KeyAuthDeps & { readToken: TokenReader };

/** A caller, and the window in which the request was counted; undefined when it could not be. */
export type Admission = { principal: Principal; rateLimit: RateLimit | undefined };

/**
 * Turns credentials into a principal and counts the request in the principal's window: one round trip for an
 * API key. Throws 400 for two credentials, and 401.
 */
export const authenticate = async (
  deps: AuthDeps,
  { headers, now }: { headers: Headers; now: number },
): Promise<Admission> => {
  const keys = headers.get("x-api-key") ?? [];
  const authorizations = headers.get("authorization") ?? [];
  if (keys.length + authorizations.length > 1) throw ambiguousCredentials();
  const [key] = keys;
  if (key !== undefined) return authenticateKey(deps, key, now);
  const bearer = /^Bearer +([^\s]+)$/i.exec(authorizations[0] ?? "")?.[1];
  if (bearer === undefined) throw unauthenticated();
  return authenticateUser(deps, bearer, now);
};

/** The same for an API key that came by another way than a header. */
export const authenticateKey = async (
  { db, prefixes, limits }: KeyAuthDeps,
  secret: string,
  now: number,
): Promise<Admission> => {
  if (!isApiKey(secret, prefixes)) throw unauthenticated();
  const window = { ...toWindow(limits, now), counter: limits.counter };
  const sha256 = hashApiKey(secret);
  const found = await useKey(db, sha256, window).catch(async (error: unknown) => {
    // The key alone is read when its use cannot be written.
    reportCounterFailure(error);
    return { key: await readKeyByHash(db, sha256), count: undefined };
  });
  if (!found?.key) throw unauthenticated();
  const { key, count } = found;
  if (key.validUntil !== null && key.validUntil <= now) throw unauthenticated();
  if (key.expiresAt !== null && key.expiresAt <= now) throw credentialsExpired();
  return {
    principal: {
      type: "ApiKey",
      id: key.keyId,
      organizationId: key.organizationId,
      scopes: key.scopes,
      userIds: key.userIds,
      email: null,
      apiKey: {
        name: key.name,
        lastUsedAt: key.lastUsedAt,
        expiresAt: key.expiresAt,
        mcpConfigId: key.mcpConfigId,
      },
    },
    rateLimit: count && counted(count, limits.requests, window),
  };
};

const authenticateUser = async (
  { db, readToken, limits }: AuthDeps,
  token: string,
  now: number,
): Promise<Admission> => {
  const principal = await readToken(token, now);
  const window = toWindow(limits, now);
  const { organizationId, id: userId, userIds } = principal;
  const address = userIds.find((each) => each !== userId);
  const user = { organizationId, userId, address };
  const count = await orUncounted(countUserRequests(db, user, window, 1));
  if (count && address !== undefined && count.linkedTo !== address) {
    const linking = () => linkAddress(db, { organizationId, userId, address });
    await withinCounterTime(now, linking).catch(reportCounterFailure);
  }
  return { principal, rateLimit: count && counted(count, limits.requests, window) };
};
