import type { Database } from "../db/database.ts";
import {
  ambiguousCredentials,
  credentialsExpired,
  Problem,
  rateLimitExceeded,
  unauthenticated,
} from "../http/problems.ts";
import type { Headers } from "../http/request.ts";
import { asError } from "../runtime/as-error.ts";
import { log } from "../runtime/log.ts";
import { countOccurrence } from "../runtime/metrics.ts";
import { hashApiKey, isApiKey, type KeyPrefixes } from "./api-key-format.ts";
import type { Principal } from "./principal.ts";
import type { RateLimit, Window } from "./rate-limit.ts";
import {
  type Counted,
  countAddressRequest,
  countUserRequest,
  countWebhookRequest,
  findKeyByHash,
  readKeyByHash,
} from "./store.ts";
import type { TokenReader } from "./user-token.ts";

/** What authentication by keys needs. */
export type KeyAuthDeps = {
  db: Database;
  prefixes: KeyPrefixes;
  limits: { requests: number; unauthenticatedRequests: number; windowSeconds: number };
};
/** What authentication needs. */
export type AuthDeps = KeyAuthDeps & { readToken: TokenReader };

/** A call that wants to be let in. */
export type Attempt = { headers: Headers; address: string; now: number };

/** Hears what is left of the window, also when the call is refused. */
type Report = (rateLimit: RateLimit) => void;

/**
 * Turns credentials into a principal and counts the request in the principal's window: one round trip
 * for an API key. A call whose credentials fail counts in its address's window.
 * Throws 400 for two credentials, 401, and 429 over the limit; `report` hears the window in every case.
 */
export const authenticate = async (
  deps: AuthDeps,
  attempt: Attempt,
  report: Report,
): Promise<Principal> => {
  const window = windowOf(deps, attempt);
  return countRefusals(deps, attempt, report, () => readCredentials(deps, attempt, window, report));
};

/** The same for a key that came by another way than a header. */
export const authenticateKey = (
  deps: KeyAuthDeps,
  secret: string,
  attempt: Omit<Attempt, "headers">,
  report: Report,
): Promise<Principal> =>
  countRefusals(deps, attempt, report, () =>
    byApiKey(deps, secret, windowOf(deps, attempt), report),
  );

/** Runs a check of credentials; a call that it refuses counts in its address's window. */
export const countRefusals = async <Result>(
  deps: KeyAuthDeps,
  attempt: Omit<Attempt, "headers">,
  report: Report,
  check: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await check();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const window = windowOf(deps, attempt);
    await countOrLetThrough(
      () => countAddressRequest(deps.db, attempt.address, window),
      deps.limits.unauthenticatedRequests,
      window,
      report,
    );
    throw error;
  }
};

/** Counts a delivery that came by signature in its webhook's window. Throws 429 over the limit. */
export const countWebhookDelivery = (
  deps: KeyAuthDeps,
  webhookId: string,
  attempt: Omit<Attempt, "headers">,
  report: Report,
): Promise<void> => {
  const window = windowOf(deps, attempt);
  return countOrLetThrough(
    () => countWebhookRequest(deps.db, webhookId, window),
    deps.limits.requests,
    window,
    report,
  );
};

const windowOf = ({ limits }: KeyAuthDeps, { now }: Pick<Attempt, "now">): Window => ({
  now,
  windowMs: limits.windowSeconds * 1_000,
});

const isRefusal = (error: unknown): boolean =>
  error instanceof Problem &&
  (error.slug === "unauthenticated" || error.slug === "credentials-expired");

const readCredentials = async (
  deps: AuthDeps,
  { headers, now }: Attempt,
  window: Window,
  report: Report,
): Promise<Principal> => {
  const keys = headers.get("x-api-key") ?? [];
  const authorizations = headers.get("authorization") ?? [];
  if (keys.length + authorizations.length > 1) throw ambiguousCredentials();
  const [key] = keys;
  if (key !== undefined) return byApiKey(deps, key, window, report);
  const bearer = /^Bearer +([^\s]+)$/i.exec(authorizations[0] ?? "")?.[1];
  if (bearer === undefined) throw unauthenticated();
  return byUserToken(deps, bearer, now, window, report);
};

const byApiKey = async (
  { db, prefixes, limits }: KeyAuthDeps,
  secret: string,
  window: Window,
  report: Report,
): Promise<Principal> => {
  if (!isApiKey(secret, prefixes)) throw unauthenticated();
  const found = await findKey(db, hashApiKey(secret), window);
  if (!found?.key) throw unauthenticated();
  const { key, counted } = found;
  if (key.validUntil !== null && key.validUntil <= window.now) throw unauthenticated();
  if (key.expiresAt !== null && key.expiresAt <= window.now) throw credentialsExpired();
  if (counted) settle(counted, limits.requests, window, report);
  return {
    type: "ApiKey",
    id: key.keyId,
    organizationId: key.organizationId,
    scopes: key.scopes,
    email: null,
    apiKey: {
      name: key.name,
      lastUsedAt: key.lastUsedAt,
      expiresAt: key.expiresAt,
      mcpConfigId: key.mcpConfigId,
    },
  };
};

/** A key is told by reading alone when its use cannot be written. */
const findKey = async (db: Database, sha256: string, window: Window) => {
  try {
    return await findKeyByHash(db, sha256, window);
  } catch (error) {
    reportCounterFailure(error);
    return { key: await readKeyByHash(db, sha256), counted: undefined };
  }
};

const byUserToken = async (
  { db, readToken, limits }: AuthDeps,
  token: string,
  now: number,
  window: Window,
  report: Report,
): Promise<Principal> => {
  const principal = await readToken(token, now);
  await countOrLetThrough(
    () => countUserRequest(db, principal.organizationId, principal.id, window),
    limits.requests,
    window,
    report,
  );
  return principal;
};

const countOrLetThrough = async (
  count: () => Promise<Counted>,
  limit: number,
  window: Window,
  report: Report,
): Promise<void> => {
  const counted = await count().catch(reportCounterFailure);
  if (counted) settle(counted, limit, window, report);
};

const reportCounterFailure = (error: unknown): undefined => {
  countOccurrence("RateLimitCounterFailed");
  log().error("rate-limit counter failed", {
    error: asError(error),
  });
};

const settle = (
  { count, windowStart }: Counted,
  limit: number,
  { now, windowMs }: Window,
  report: Report,
): void => {
  const resetsAt = windowStart + windowMs;
  report({ limit, remaining: Math.max(0, limit - count), resetsAt });
  if (count > limit) throw rateLimitExceeded(Math.max(1, Math.ceil((resetsAt - now) / 1_000)));
};
