import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { type ConnectionItem, changeConnection, getConnection } from "./store.ts";

const maxAttempts = 3;

/** Returns the scopes of a connection's next consent with more of them: the tokens of a consent replace those before. */
export const addScopes = (
  { scopes: given, requestedScopes = [] }: Pick<ConnectionItem, "scopes" | "requestedScopes">,
  more: readonly string[],
): string[] => [...new Set([...(requestedScopes.length > 0 ? requestedScopes : given), ...more])];

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
    const { wantedScopes = [], ...current }: ConnectionItem = item;
    const known = new Set([...current.scopes, ...(current.requestedScopes ?? [])]);
    if (scopes.every((scope) => known.has(scope))) return undefined;
    const wanted = addScopes(current, [...wantedScopes, ...scopes]);
    const change = { wantedScopes: wanted, modifiedAt: runtime.clock() };
    if (await changeConnection(db, tenantId, item, change)) return { ...item, ...change };
    item = await getConnection(db, tenantId, item.id);
  }
  return undefined;
};
