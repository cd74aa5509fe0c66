import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { sendResume } from "./send-resume.ts";
import { type ConnectionItem, getConnection, putRefusedScopes, putWantedScopes } from "./store.ts";

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

/**
 * Stops asking for the scopes of a consent that the authorization server does not know, so that calls that want them fail, and later
 * consents do not. Nothing for a connection that never had tokens: its scopes were chosen with it.
 * @param input `scopes`: of the consent
 */
export const refuseScopes = async (
  { db, runtime, send }: Pick<ConnectionDeps, "db" | "runtime"> & { send: Send },
  {
    tenantId,
    connectionId,
    scopes,
  }: { tenantId: TenantId; connectionId: string; scopes: readonly string[] },
): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const item = await getConnection(db, tenantId, connectionId);
    const { requestedScopes = [], refusedScopes = [], addedScopes = [] } = item ?? {};
    const { wantedScopes: newScopes = [] } = item ?? {};
    // Without new ones, the consent asked for those that services wanted before, which the server knew then.
    const isAgain = newScopes.length === 0;
    const wantedScopes = isAgain ? addedScopes : newScopes;
    if (!item || wantedScopes.length === 0 || requestedScopes.length === 0) return;
    const isUnknown = (scope: string) =>
      scopes.includes(scope) && (isAgain || !requestedScopes.includes(scope));
    const left = wantedScopes.filter((scope) => !isUnknown(scope));
    const isWanted = left.some((scope) => !requestedScopes.includes(scope));
    await sendResume({ runtime, send }, { tenantId, connectionId });
    const change = {
      refusedScopes: [...new Set([...refusedScopes, ...wantedScopes.filter(isUnknown)])],
      ...(isWanted && { wantedScopes: left }),
      ...(isAgain && { addedScopes: left }),
      modifiedAt: runtime.clock(),
    };
    if (await putRefusedScopes(db, tenantId, item, change)) return;
  }
};
