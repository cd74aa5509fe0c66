import type { Principal } from "../../platform/auth/principal.ts";
import { scopesBeyond } from "../../platform/auth/scopes.ts";
import {
  conflict,
  expiryEscalation,
  scopeEscalation,
  validationFailed,
} from "../../platform/http/problems.ts";
import type { ApiKeyItem } from "./items.ts";

/** Throws 403 when a key would have scopes that the caller lacks. */
export const requireOwnScopes = (scopes: readonly string[], principal: Principal): void => {
  const beyond = scopesBeyond(scopes, principal.scopes);
  if (beyond.length > 0) throw scopeEscalation(beyond);
};

/** Throws 409 when a change would give the key of an integration config other scopes than its fixed ones. */
export const requireDedicatedScopes = (
  { mcpConfigId, scopes }: ApiKeyItem,
  wanted: readonly string[],
): void => {
  if (mcpConfigId === undefined || scopesBeyond(wanted, scopes).length === 0) return;
  throw conflict(`The key is for the integration config ${mcpConfigId} alone. Its scopes stay.`);
};

/** Throws 409 for a revoked key. */
export const requireNotRevoked = (key: ApiKeyItem): void => {
  if (key.revokedAt !== null) throw conflict("The key is revoked. Mint a new one.");
};

/** The last time that ISO 8601 writes with a four-digit year. */
const latestExpiry = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Parses an expiry to Unix milliseconds, null for never. Throws 400 for one in the past or after the year 9999. */
export const readExpiry = (expiresAt: string | null, now: number): number | null => {
  if (expiresAt === null) return null;
  const time = Date.parse(expiresAt);
  if (time > now && time <= latestExpiry) return time;
  const detail = time > now ? "must be before the year 10000 (UTC)" : "must be in the future";
  throw validationFailed([{ pointer: "/expiresAt", detail }]);
};

/**
 * Throws 403 when a caller with an expiring key gives a key a later expiry, or none. Expiries in
 * Unix milliseconds, null for never.
 */
export const requireOwnExpiry = (expiresAt: number | null, principal: Principal): void => {
  const own = principal.apiKey?.expiresAt ?? null;
  if (own === null || (expiresAt !== null && expiresAt <= own)) return;
  throw expiryEscalation(own);
};

/** Throws 403 when a change gives a key an expiry, or scopes for a time, beyond the caller's own expiry. */
export const requireOwnExpiryToChange = (
  before: Pick<ApiKeyItem, "scopes">,
  after: Pick<ApiKeyItem, "expiresAt" | "scopes">,
  { expiresAt: sent, principal }: { expiresAt: number | null | undefined; principal: Principal },
): void => {
  const isWider = scopesBeyond(after.scopes, before.scopes).length > 0;
  if (sent !== undefined || isWider) requireOwnExpiry(after.expiresAt, principal);
};

/** Maximum users that limit a key by their roles, since every role check reads them all. */
const maxUsers = 10;

/**
 * Returns the users that limit a secret by their roles: the key's creators and the caller. Throws
 * 409 when there are too many.
 */
export const usersOfSecret = (minters: readonly string[], principal: Principal): string[] => {
  const users = [...new Set([...minters, ...principal.userIds])];
  if (users.length <= maxUsers) return users;
  throw conflict(`The key would be limited by the roles of more than ${maxUsers} users.`);
};

/** Throws 403 when a change prolongs a key that has scopes which the caller lacks. */
export const requireScopesToProlong = (
  before: Pick<ApiKeyItem, "expiresAt">,
  after: Pick<ApiKeyItem, "expiresAt" | "scopes">,
  principal: Principal,
): void => {
  if ((after.expiresAt ?? Infinity) <= (before.expiresAt ?? Infinity)) return;
  requireOwnScopes(after.scopes, principal);
};

/** Creates the 409 of a change that lost against a concurrent one. */
export const keyChanged = () =>
  conflict("The key was changed concurrently. Read it and try again.");
