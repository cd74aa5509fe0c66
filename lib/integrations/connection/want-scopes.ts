import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { type ConnectionItem, getConnection, putWantedScopes } from "./store.ts";

const maxAttempts = 5;
/** Scopes of one consent, as of a request for one. */
const maxScopes = 100;

/**
 * Returns the scopes of a connection's next consent with more of them: the tokens of a consent replace those before, and others may
 * wait for theirs.
 */
export const addScopes = (
  {
    scopes: given,
    requestedScopes = [],
    wantedScopes = [],
  }: Pick<ConnectionItem, "scopes" | "requestedScopes" | "wantedScopes">,
  more: readonly string[],
): string[] => [
  ...new Set([...(requestedScopes.length > 0 ? requestedScopes : given), ...wantedScopes, ...more]),
];

/** Returns whether scopes were asked for by a consent, whatever came of it. */
export const wereAskedFor = (
  {
    scopes: given,
    requestedScopes = [],
    refusedScopes = [],
  }: Pick<ConnectionItem, "scopes" | "requestedScopes" | "refusedScopes">,
  scopes: readonly string[],
): boolean => {
  const known = new Set([...given, ...requestedScopes, ...refusedScopes]);
  return scopes.every((scope) => known.has(scope));
};

/**
 * Lets the next consent of a connection ask for more scopes, and those of other calls that wait for it. Returns the connection;
 * undefined where the last consent has asked for them already, and where the connection was deleted.
 */
export const wantScopes = async (
  { db, runtime }: Pick<ConnectionDeps, "db" | "runtime">,
  {
    tenantId,
    seen,
    scopes,
  }: { tenantId: TenantId; seen: ConnectionItem; scopes: readonly string[] },
): Promise<ConnectionItem | undefined> => {
  let item: ConnectionItem | undefined = seen;
  for (let attempt = 0; attempt < maxAttempts && item; attempt += 1) {
    if (wereAskedFor(item, scopes)) return undefined;
    const wantedScopes = addScopes(item, scopes);
    if (wantedScopes.length > maxScopes) return undefined;
    const change = { wantedScopes, modifiedAt: runtime.clock() };
    if (await putWantedScopes(db, tenantId, item, change)) return { ...item, ...change };
    item = await getConnection(db, tenantId, item.id);
  }
  return undefined;
};
