import type { SealedValue } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import type { PublishedOAuth } from "../config/read-published-config.ts";
import { limitChain } from "../oauth/oauth-fetch.ts";
import type { OAuthClient, OAuthServer, SignIn } from "../oauth/oauth-server.ts";
import {
  type ConnectionDeps,
  chooseClient,
  isClientOfConfig,
  type OAuthConfig,
} from "./connection-deps.ts";
import { replaceTokens } from "./replace-tokens.ts";
import { revokeGranted } from "./revoke-granted.ts";
import { openTokens, type StoredTokens, sealStored, sealTokens } from "./seal-tokens.ts";
import {
  type ConnectionItem,
  endRefresh,
  getConnection,
  putHeldTokens,
  putRefreshedTokens,
  takeRefresh,
} from "./store.ts";

/** The requests of a refresh take 20 seconds at most, and its reads and writes less than the others. */
const leaseMs = 30_000;
/** Until another's lease is over for certain. */
const maxWaitMs = 39_000;
const [firstPauseMs, longestPauseMs] = [100, 1_000];

/** An access token is not used in the last seconds of its life: the call takes time, and clocks differ. */
const lastMs = 5_000;
/** Pause after a refresh that failed, as long as the access token can be used. */
const retryMs = 30_000;

/** Returns whether the access token of a connection can be used; false where the server does not say when it expires. */
export const isUsable = ({ expiresAt }: Pick<ConnectionItem, "expiresAt">, now: number): boolean =>
  expiresAt !== null && expiresAt - lastMs > now;

/** A connection with its tokens. */
export type OpenConnection = { item: ConnectionItem; tokens: StoredTokens };

type Seen = ConnectionItem & Required<Pick<ConnectionItem, "tokens">>;

/**
 * Refreshes the tokens of a connection as it was read, once for all callers of all instances: the others wait for those that
 * one stored. The refreshed tokens are stored before they are returned. Undefined where it has become unusable, or was
 * deleted. Throws an UpstreamError, also where the client of the config is refused; the connection then stays as it is.
 */
export const refreshConnection = async (
  deps: ConnectionDeps,
  { config, seen, signal }: { config: OAuthConfig; seen: Seen; signal: AbortSignal },
): Promise<OpenConnection | undefined> => {
  const { db, sealer, runtime, sleep } = deps;
  const { tenantId } = config;
  const holder = newUuid(runtime);
  const take = async ({ refresher, refresherUntil }: ConnectionItem): Promise<boolean> => {
    const now = runtime.clock();
    if (refresher != null && (refresherUntil ?? 0) > now) return false;
    return takeRefresh(db, tenantId, seen, { holder, until: now + leaseMs, now });
  };
  signal.throwIfAborted();
  if (await take(seen)) return refreshHeld(deps, config, seen, holder);
  let pauseMs = firstPauseMs;
  for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pauseMs) {
    signal.throwIfAborted();
    const item = await getConnection(db, tenantId, seen.id);
    if (item?.serial !== seen.serial) return undefined;
    if (item.version !== seen.version) {
      const { tokens, target } = item;
      // Another consent may be for another address of the config, to which this call does not send.
      const isUsable = item.status === "Active" && target === config.oauth.target;
      if (!isUsable || !tokens) return undefined;
      return { item, tokens: await openTokens(sealer, tenantId, { id: item.id, tokens }) };
    }
    if (item.status === "Revoked") return undefined;
    if (item.refreshAt !== seen.refreshAt) {
      const message = "Another call failed to refresh the connection.";
      throw new UpstreamError(message, { upstream: "connection" });
    }
    if (await take(item)) return refreshHeld(deps, config, seen, holder);
    await sleep(pauseMs, signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
  const message = "Another call did not finish refreshing the connection.";
  throw new UpstreamError(message, { upstream: "connection", timedOut: true });
};

const refreshHeld = async (
  deps: ConnectionDeps,
  config: OAuthConfig,
  seen: Seen,
  holder: string,
): Promise<OpenConnection | undefined> => {
  const { db, sealer, runtime } = deps;
  const { tenantId, oauth } = config;
  const { id } = seen;
  try {
    const held = await readHeld(deps, config, seen, holder);
    if (!held) return undefined;
    const before = await openTokens(sealer, tenantId, { id, tokens: held });
    const { server, proofKey } = before;
    const client = chooseClient(oauth, before.client);
    const parties = { server, client, proofKey };
    const place = { tenantId, connectionId: id };
    let latest = before;
    const keep = async (signIn: SignIn): Promise<boolean> => {
      latest = { ...before, signIn };
      const sealed = await sealStored(sealer, place, latest);
      return putHeldTokens(db, tenantId, id, { holder, tokens: sealed });
    };
    const asked = seen.requestedScopes ?? oauth.scopes;
    const request = { oauth, before: { ...before, client }, scopes: asked, keep };
    const outcome = await limitChain(deps, (limited) => replaceTokens(limited, request));
    if (!outcome) {
      await forgetIfDeleted(deps, { tenantId, seen, granted: latest });
      return undefined;
    }
    if ("refused" in outcome) {
      const { refused: error, host } = outcome;
      if (isOfClient(oauth, client, error)) throw refusedClient(oauth, { error, host, server });
      const refused = { error, status: asksPerson(oauth) ? "Expired" : "Failed" } as const;
      await endRefresh(db, tenantId, id, { holder, refused, now: runtime.clock() });
      return undefined;
    }
    const { tokens: issued, signIn, isNewGrant = false } = outcome;
    const { scopes, target = oauth.target } = seen;
    const now = runtime.clock();
    const tokens = await sealTokens(sealer, place, {
      issued,
      before: isNewGrant ? undefined : before,
      ...parties,
      signIn,
      scopes,
      target,
      now,
    });
    if (!(await putRefreshedTokens(db, tenantId, id, { holder, tokens }))) {
      const { accessToken, refreshToken = null } = issued;
      const granted = { ...parties, accessToken, refreshToken, signIn };
      await forgetIfDeleted(deps, { tenantId, seen, granted });
      return undefined;
    }
    const item = await getConnection(db, tenantId, id);
    if (!item?.tokens || item.status !== "Active") return undefined;
    const opened = await openTokens(sealer, tenantId, { id, tokens: item.tokens });
    return { item, tokens: opened };
  } catch (error) {
    const now = runtime.clock();
    const refreshAt = postpone(seen, now);
    await endRefresh(db, tenantId, id, { holder, refreshAt, now }).catch(() => {});
    throw error;
  }
};

/** Returns when a refresh that failed is tried again; undefined for the next call, as the access token cannot be used. */
const postpone = (seen: Seen, now: number): number | undefined => {
  const { expiresAt, refreshAt } = seen;
  if (expiresAt === null || refreshAt === null || !isUsable(seen, now)) return undefined;
  return Math.max(refreshAt, Math.min(now + retryMs, expiresAt - lastMs));
};

/** Codes with which a server refuses a client, whatever the grant (RFC 6749, 5.2). */
const clientErrors: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client"]);

/**
 * Returns whether a refusal of a person's tokens is of the client of the config: the grant is kept until the config is mended.
 * A client that was registered, is named by its metadata, or has a secret of which the config has a key by now, can only be replaced
 * by another consent.
 */
const isOfClient = (oauth: PublishedOAuth, client: OAuthClient, error: string): boolean =>
  asksPerson(oauth) && isClientOfConfig(oauth, client) && clientErrors.has(error);

/** Builds the error of a refused client. `host`: that refused. `server`: of the tokens. */
const refusedClient = (
  { displayName }: PublishedOAuth,
  { error, host, server }: { error: string; host: string; server: OAuthServer },
): UpstreamError => {
  const isOwn = host === new URL(server.tokenEndpoint).host;
  const name = isOwn ? "authorization server" : "identity provider";
  return new UpstreamError(
    `The ${name} refused the client of "${displayName}": ${error}. Check the client, and its secret or key, in the config.`,
    { upstream: host },
  );
};

/**
 * Returns the tokens of a connection after its refresh was taken: as they were seen, unless a refresh that failed may have renewed the
 * sign-in since. Undefined after another consent, and after the deletion.
 */
const readHeld = async (
  { db }: ConnectionDeps,
  { tenantId, oauth }: OAuthConfig,
  seen: Seen,
  holder: string,
): Promise<SealedValue | undefined> => {
  if (oauth.grant !== "id-jag" || !asksPerson(oauth)) return seen.tokens;
  const item = await getConnection(db, tenantId, seen.id);
  return item?.refresher === holder ? item.tokens : undefined;
};

/**
 * Revokes tokens that were issued for a connection that was deleted meanwhile. Best effort. Not after another consent: some
 * servers would revoke its tokens, too.
 */
const forgetIfDeleted = async (
  deps: ConnectionDeps,
  {
    tenantId,
    seen: { id, serial },
    granted,
  }: { tenantId: TenantId; seen: Seen; granted: StoredTokens },
): Promise<void> => {
  try {
    const item = await getConnection(deps.db, tenantId, id);
    if (item?.serial === serial && item.status !== "Revoked") return;
    await revokeGranted(deps, granted);
  } catch (error) {
    log("connection-not-revoked", { connectionId: id, error: asError(error) });
  }
};
