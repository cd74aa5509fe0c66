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

/** Throws 409 when other scopes are asked for than those that the key of an integration config always has. */
export const requireDedicatedScopes = (
  { mcpConfigId, scopes }: ApiKeyItem,
  wanted: readonly string[],
): void => {
  if (mcpConfigId === undefined || scopesBeyond(wanted, scopes).length === 0) return;
  throw conflict(`The key is for the integration config ${mcpConfigId} alone. Its scopes stay.`);
};

/** Throws 409 for a key that was revoked: it never changes again. */
export const requireNotRevoked = (key: ApiKeyItem): void => {
  if (key.revokedAt !== null) throw conflict("The key is revoked. Mint a new one.");
};

/** The last moment that ISO 8601 writes with four digits of a year. */
const latestExpiry = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** An expiry in Unix milliseconds, null for never. Throws 400 when it is not to come, or after the year 9999. */
export const readExpiry = (expiresAt: string | null, now: number): number | null => {
  if (expiresAt === null) return null;
  const time = Date.parse(expiresAt);
  if (time > now && time <= latestExpiry) return time;
  const detail = time > now ? "must be before the year 10000 (UTC)" : "must be in the future";
  throw validationFailed([{ pointer: "/expiresAt", detail }]);
};

/**
 * Throws 403 when a caller whose own key expires would leave a key with a later expiry than that, or with none.
 * Expiries in Unix milliseconds, null for never.
 */
export const requireOwnExpiry = (expiresAt: number | null, principal: Principal): void => {
  const own = principal.apiKey?.expiresAt ?? null;
  if (own === null || (expiresAt !== null && expiresAt <= own)) return;
  throw expiryEscalation(own);
};

/** Throws 403 for an expiry, or further scopes, that a key would have for longer than the caller's own works. */
export const requireOwnExpiryToChange = (
  before: Pick<ApiKeyItem, "scopes">,
  after: Pick<ApiKeyItem, "expiresAt" | "scopes">,
  { expiresAt: sent, principal }: { expiresAt: number | null | undefined; principal: Principal },
): void => {
  const isWider = scopesBeyond(after.scopes, before.scopes).length > 0;
  if (sent !== undefined || isWider) requireOwnExpiry(after.expiresAt, principal);
};

/** Most users through whose hands a key may have gone: every check of roles reads what each of them is. */
const mostUsers = 10;

/** The users whose roles limit a secret: those who minted the key, and the caller to whom it is shown. Throws 409. */
export const usersOfSecret = (minters: readonly string[], principal: Principal): string[] => {
  const users = [...new Set([...minters, ...principal.userIds])];
  if (users.length <= mostUsers) return users;
  throw conflict(`The key would be limited by the roles of more than ${mostUsers} users.`);
};

/** Throws 403 when a key would work longer that has scopes which the caller lacks. */
export const requireScopesToProlong = (
  before: Pick<ApiKeyItem, "expiresAt">,
  after: Pick<ApiKeyItem, "expiresAt" | "scopes">,
  principal: Principal,
): void => {
  if ((after.expiresAt ?? Infinity) <= (before.expiresAt ?? Infinity)) return;
  requireOwnScopes(after.scopes, principal);
};

/** What two changes at the same moment end in, for the one that came second. */
export const changedMeanwhile = () =>
  conflict("The key was changed by somebody else at the same moment. Read it and try again.");
