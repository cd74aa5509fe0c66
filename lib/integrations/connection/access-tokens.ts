import type { AccessToken } from "../../engine/tools/access-token.ts";
import { ConsentRequired, ToolError } from "../../engine/tools/tool.ts";
import { asksPerson } from "../config/oauth-settings.ts";
import { readPublishedConfig } from "../config/read-published-config.ts";
import { limitChain } from "../oauth/oauth-fetch.ts";
import { createProver, generateProofKey } from "../oauth/proof-key.ts";
import type { ConnectionDeps, OAuthConfig } from "./connection-deps.ts";
import { buildConnectionUrl, linkMs } from "./connection-link.ts";
import { chooseOwner, type FindPeople } from "./connection-owner.ts";
import { findConfigServer } from "./find-config-server.ts";
import { findIdentityProvider } from "./find-identity-provider.ts";
import { provideConnection } from "./provide-connection.ts";
import { isUsable, type OpenConnection, refreshConnection } from "./refresh-connection.ts";
import { readOwnClient, requestOwnTokens } from "./request-own-tokens.ts";
import { openTokens, type StoredTokens, sealTokens } from "./seal-tokens.ts";
import {
  type ConnectionItem,
  changeConnection,
  getConnection,
  putConsentedTokens,
} from "./store.ts";
import { wantScopes } from "./want-scopes.ts";

/** Dependencies of access tokens. `publicUrl`: base URL of the API, where the deployment declares it. */
export type AccessTokenDeps = ConnectionDeps & { publicUrl?: string | undefined };

/** The access tokens of one connection. */
export type AccessTokens = {
  /**
   * Returns a token, refreshed if it is about to expire and can be. Throws ConsentRequired where no connection is usable, another
   * ToolError where no person can help, and an UpstreamError.
   */
  get: (signal: AbortSignal) => Promise<AccessToken>;
  /** Returns another token in place of one that was refused. Throws as `get`. */
  renew: (refused: AccessToken, signal: AbortSignal) => Promise<AccessToken>;
  /**
   * Returns another token in place of one that lacks scopes; undefined where a consent to them was asked for before. Otherwise throws
   * ConsentRequired.
   */
  askFor: (scopes: readonly string[], refused: AccessToken) => Promise<AccessToken | undefined>;
};

/** Returns the access tokens of the connection that a call by some people uses. */
export const accessTokens = (
  deps: AccessTokenDeps,
  { people, ...config }: OAuthConfig & { people: FindPeople },
): AccessTokens => {
  const { db, sealer, runtime } = deps;
  const { tenantId, oauth } = config;

  const provide = async (): Promise<ConnectionItem> => {
    const found = oauth.owner === "tenant" ? {} : await people();
    const owner = chooseOwner(oauth.owner, found);
    if (!owner) throw withoutPerson(oauth.displayName);
    return (await provideConnection(deps, { tenantId, configId: config.configId, owner })).item;
  };

  const read = async (): Promise<OpenConnection | undefined> => {
    const item = await provide();
    const { id, status, tokens, target } = item;
    if (status !== "Active" || !tokens) return undefined;
    if (target === oauth.target) {
      return { item, tokens: await openTokens(sealer, tenantId, { id, tokens }) };
    }
    const published = await readPublishedConfig(deps, config);
    // The connection is for the config as it is now, and this call for the one before.
    if (published?.oauth?.target === target) throw replacedConfig(oauth.displayName);
    const error = "config-changed";
    const change = { status: "Expired" as const, error, modifiedAt: runtime.clock() };
    await changeConnection(db, tenantId, item, change);
    return undefined;
  };

  const refresh = async (
    { item }: OpenConnection,
    signal: AbortSignal,
  ): Promise<OpenConnection | undefined> => {
    const { tokens, isRefreshable } = item;
    if (tokens && (isRefreshable || !asksPerson(oauth))) {
      return refreshConnection(deps, { config, seen: { ...item, tokens }, signal });
    }
    const change = { status: "Expired" as const, error: "expired", modifiedAt: runtime.clock() };
    await changeConnection(db, tenantId, item, change);
    return undefined;
  };

  /** Returns a token without consent where the config needs none; otherwise asks for consent. */
  const obtain = async (): Promise<AccessToken> => {
    const item = await provide();
    if (!asksPerson(oauth)) return connectWithoutPerson(deps, { config, item });
    throw await requireConsent(deps, config, item);
  };

  const toToken = ({ tokens }: OpenConnection) => toAccessToken(deps, tokens);

  return {
    get: async (signal) => {
      const open = await read();
      if (!open) return obtain();
      const { refreshAt, isRefreshable } = open.item;
      if (refreshAt === null || refreshAt > runtime.clock()) return toToken(open);
      const isValid = () => isUsable(open.item, runtime.clock());
      // Only a person can replace it: it is used to its end.
      if (!isRefreshable && asksPerson(oauth) && isValid()) return toToken(open);
      try {
        const refreshed = await refresh(open, signal);
        if (refreshed) return toToken(refreshed);
      } catch (error) {
        // The token is still valid: the server may work again before it expires.
        if (!isValid() || signal.aborted) throw error;
        return toToken(open);
      }
      return obtain();
    },
    renew: async (refused, signal) => {
      const open = await read();
      if (open && open.tokens.accessToken !== refused.value) return toToken(open);
      const refreshed = open && (await refresh(open, signal));
      return refreshed ? toToken(refreshed) : obtain();
    },
    askFor: async (scopes, refused) => {
      if (!asksPerson(oauth)) return undefined;
      const open = await read();
      if (open && open.tokens.accessToken !== refused.value) return toToken(open);
      const item = await wantScopes(deps, { tenantId, seen: await provide(), scopes });
      if (item) throw await requireConsent(deps, config, item, scopes);
      return undefined;
    },
  };
};

/** Credentials of a grant without a person. */
const credentials = {
  authorization_code: "client",
  client_credentials: "client",
  "jwt-bearer": "assertion",
  "id-jag": "ID token",
} as const;

/** Returns what to check after a refusal, as a further sentence; empty for a refusal that says it. */
const adviseOn = ({ grant, assertion }: OAuthConfig["oauth"], error: string): string => {
  if (grant !== "jwt-bearer" || error !== "invalid_grant") return "";
  return assertion === null
    ? " Check its key and key id, its iss, sub and aud, and the account."
    : " Check whether it has expired, its iss, sub and aud, and the account.";
};

/** Gets and stores tokens without a person. Throws a ToolError where the server refuses, and an UpstreamError. */
export const connectWithoutPerson = async (
  deps: ConnectionDeps,
  { config, item }: { config: OAuthConfig; item: ConnectionItem },
): Promise<AccessToken> => {
  const { tenantId, oauth } = config;
  const { db, sealer, runtime } = deps;
  const client = readOwnClient(oauth);
  if (!client) throw new ToolError(`The config "${oauth.displayName}" names no client.`);
  const { outcome, signIn, ...parties } = await limitChain(deps, async (limited) => {
    const server = await findConfigServer(limited, config);
    const proofKey = server.bindsTokens ? generateProofKey() : undefined;
    const provider = await findIdentityProvider(limited, { oauth });
    const own = provider && { ...provider, idToken: oauth.idToken ?? "", refreshToken: null };
    const request = { oauth, server, client, proofKey, signIn: own };
    return { ...request, outcome: await requestOwnTokens(limited, request) };
  });
  const now = runtime.clock();
  if ("refused" in outcome) {
    const error = outcome.refused;
    const change = { status: "Failed" as const, error, modifiedAt: now };
    await changeConnection(db, tenantId, item, change);
    throw new ToolError(
      `The authorization server refused the ${credentials[oauth.grant]} of "${oauth.displayName}": ${error}.${adviseOn(oauth, error)}`,
    );
  }
  const { tokens: issued } = outcome;
  const place = { tenantId, connectionId: item.id };
  const { scopes, target } = oauth;
  const tokens = await sealTokens(sealer, place, {
    issued,
    ...parties,
    signIn,
    scopes,
    target,
    now,
  });
  await putConsentedTokens(db, tenantId, item, { ...tokens, connectedAt: now });
  const stored = await getConnection(db, tenantId, item.id);
  if (!stored?.tokens || stored.target !== target)
    return toAccessToken(deps, { ...issued, proofKey: parties.proofKey });
  const opened = await openTokens(sealer, tenantId, { id: item.id, tokens: stored.tokens });
  return toAccessToken(deps, opened);
};

const toAccessToken = (
  { runtime }: Pick<ConnectionDeps, "runtime">,
  { accessToken, proofKey }: Pick<StoredTokens, "accessToken" | "proofKey">,
): AccessToken => ({
  value: accessToken,
  ...(proofKey && { prover: createProver(runtime, proofKey, accessToken) }),
});

const requireConsent = async (
  deps: AccessTokenDeps,
  { tenantId, oauth }: OAuthConfig,
  item: ConnectionItem,
  scopes: readonly string[] = [],
): Promise<ToolError> => {
  const expiresAt = deps.runtime.clock() + linkMs;
  const url = await buildConnectionUrl(deps, tenantId, item, expiresAt);
  const name = oauth.displayName;
  if (url === undefined) {
    return new ToolError(`"${name}" is not connected. Create a connection of its config.`);
  }
  const lack = scopes.length > 0 ? `needs the scopes "${scopes.join(" ")}"` : "is not connected";
  return new ConsentRequired(`"${name}" ${lack}: a person has to give consent first.`, {
    connectionId: item.id,
    title: name,
    url,
    owner: { type: item.ownerType, id: item.ownerId },
    scopes,
  });
};

const replacedConfig = (name: string): ToolError =>
  new ToolError(`The config "${name}" was changed while it was in use: start again.`);

const withoutPerson = (name: string): ToolError =>
  new ToolError(
    `"${name}" is used with the connection of an end user, and this call has none: continue a session with an endUserId, or call as a user.`,
  );
