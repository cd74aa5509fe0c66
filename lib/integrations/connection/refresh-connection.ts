import type { TenantId } from "../../platform/db/tenant-id.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import {
  type IssuedTokens,
  refreshTokens,
  revokeTokens,
  type TokenOutcome,
} from "../oauth/request-tokens.ts";
import { type ConnectionDeps, chooseClient, type OAuthConfig } from "./connection-deps.ts";
import { requestOwnTokens } from "./request-own-tokens.ts";
import { openTokens, type StoredTokens, sealTokens } from "./seal-tokens.ts";
import {
  type ConnectionItem,
  endRefresh,
  getConnection,
  putRefreshedTokens,
  takeRefresh,
} from "./store.ts";

/** A request takes less: two responses of an authorization server. */
const requestMs = 21_000;
/** Requests of a refresh, at most. */
const requests = { authorization_code: 1, client_credentials: 1, "jwt-bearer": 2 } as const;
const pollMs = 200;
/** Time for the reads and writes of a refresh, and then until another's lease is over for certain. */
const spareMs = 9_000;

/** A connection with its tokens. */
export type OpenConnection = { item: ConnectionItem; tokens: StoredTokens };

type Seen = ConnectionItem & Required<Pick<ConnectionItem, "tokens">>;

/**
 * Refreshes the tokens of a connection as it was read, once for all callers of all instances: the others wait for those that
 * one stored. The refreshed tokens are stored before they are returned. Undefined where it has become unusable, or was
 * deleted. Throws an UpstreamError; the connection then stays as it is.
 */
export const refreshConnection = async (
  deps: ConnectionDeps,
  { config, seen, signal }: { config: OAuthConfig; seen: Seen; signal: AbortSignal },
): Promise<OpenConnection | undefined> => {
  const { db, sealer, runtime, sleep } = deps;
  const { tenantId } = config;
  const holder = newUuid(runtime);
  const leaseMs = requests[config.oauth.grant] * requestMs + spareMs;
  const maxPolls = Math.ceil((leaseMs + spareMs) / pollMs);
  for (let poll = 0; poll < maxPolls; poll += 1) {
    signal.throwIfAborted();
    const now = runtime.clock();
    if (await takeRefresh(db, tenantId, seen, { holder, until: now + leaseMs, now })) {
      return refreshHeld(deps, config, seen, holder);
    }
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
    await sleep(pollMs, signal);
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
    const before = await openTokens(sealer, tenantId, seen);
    const { server, proofKey } = before;
    const client = chooseClient(oauth, before.client);
    const parties = { server, client, proofKey };
    const outcome = await replaceTokens(deps, oauth, { ...before, client });
    if ("refused" in outcome) {
      const { refused } = outcome;
      await endRefresh(db, tenantId, id, { holder, refused, now: runtime.clock() });
      return undefined;
    }
    const place = { tenantId, connectionId: id };
    const issued = outcome.tokens;
    const { scopes, target = oauth.target } = seen;
    const now = runtime.clock();
    const tokens = await sealTokens(sealer, place, {
      issued,
      before,
      ...parties,
      scopes,
      target,
      now,
    });
    if (!(await putRefreshedTokens(db, tenantId, id, { holder, tokens }))) {
      await forgetIfDeleted(deps, { tenantId, seen, parties, issued });
      return undefined;
    }
    const item = await getConnection(db, tenantId, id);
    if (!item?.tokens || item.status !== "Active") return undefined;
    const opened = await openTokens(sealer, tenantId, { id, tokens: item.tokens });
    return { item, tokens: opened };
  } catch (error) {
    await endRefresh(db, tenantId, id, { holder, now: runtime.clock() }).catch(() => {});
    throw error;
  }
};

/** Gets other tokens: by the refresh token, or without a person. An assertion may be valid when the refresh token is not. */
const replaceTokens = async (
  deps: ConnectionDeps,
  oauth: OAuthConfig["oauth"],
  before: StoredTokens,
): Promise<TokenOutcome> => {
  const { refreshToken } = before;
  if (asksPerson(oauth)) return refreshTokens(deps, before, refreshToken ?? "");
  if (oauth.grant === "jwt-bearer" && refreshToken !== null) {
    const outcome = await refreshTokens(deps, before, refreshToken);
    if (!("refused" in outcome)) return outcome;
  }
  return requestOwnTokens(deps, { oauth, ...before });
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
    parties,
    issued,
  }: {
    tenantId: TenantId;
    seen: Seen;
    parties: Pick<StoredTokens, "server" | "client">;
    issued: IssuedTokens;
  },
): Promise<void> => {
  try {
    const item = await getConnection(deps.db, tenantId, id);
    if (item?.serial === serial && item.status !== "Revoked") return;
    await revokeTokens(deps, parties, issued);
  } catch (error) {
    log("connection-not-revoked", { connectionId: id, error: asError(error) });
  }
};
