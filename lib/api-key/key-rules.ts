import type { Principal } from "../auth/principal.ts";
import { scopesBeyond } from "../auth/scopes.ts";
import { conflict, scopeEscalation, validationFailed } from "../http/problems.ts";
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
