import * as z from "zod";
import { openOnce } from "../../platform/db/open-once.ts";
import type { SealContext, SealedValue, Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { OAuthClient, OAuthServer, SignIn } from "../oauth/oauth-server.ts";
import { ProofKey } from "../oauth/proof-key.ts";
import type { IssuedTokens } from "../oauth/request-tokens.ts";
import type { NewTokens } from "./store.ts";

/** The secrets of a connection, and the server and client of its next refresh. */
export const StoredTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  server: OAuthServer,
  client: OAuthClient,
  /** The key that the tokens are bound to; absent for bearer tokens. */
  proofKey: ProofKey.optional(),
  /** Of the grant `id-jag`. */
  signIn: SignIn.optional(),
});
export type StoredTokens = z.output<typeof StoredTokens>;

const buildContext = (tenantId: TenantId, connectionId: string): SealContext => ({
  tenantId,
  connectionId,
});

/** Decrypts the tokens of a connection, once per instance. */
export const openTokens = async (
  sealer: Sealer,
  tenantId: TenantId,
  { id, tokens }: { id: string; tokens: SealedValue },
): Promise<StoredTokens> =>
  StoredTokens.parse(JSON.parse(await openOnce(sealer, tokens, buildContext(tenantId, id))));

/** Encrypts tokens as they are stored. */
export const sealStored = (
  sealer: Sealer,
  { tenantId, connectionId }: { tenantId: TenantId; connectionId: string },
  stored: StoredTokens,
): Promise<SealedValue> =>
  sealer.seal(JSON.stringify(stored), buildContext(tenantId, connectionId));

/** An access token is refreshed this long before it expires, or in the last quarter of a shorter life. */
const aheadMs = 60_000;
/** Ten years. A longer life is not stored: databases have no numbers of any size. */
const longestLifeSeconds = 315_360_000;

/** Encrypts tokens that a server issued. `before`: those that they replace. */
export const sealTokens = async (
  sealer: Sealer,
  { tenantId, connectionId }: { tenantId: TenantId; connectionId: string },
  {
    issued,
    before,
    server,
    client,
    proofKey,
    signIn,
    scopes,
    target,
    now,
  }: {
    issued: IssuedTokens;
    before?: StoredTokens | undefined;
    server: OAuthServer;
    client: OAuthClient;
    proofKey: ProofKey | undefined;
    signIn?: SignIn | undefined;
    /** Scopes that were asked for: those that were given where the server does not say. */
    scopes: readonly string[];
    target: string;
    now: number;
  },
): Promise<NewTokens> => {
  const refreshToken = issued.refreshToken ?? before?.refreshToken ?? null;
  const { accessToken, expiresInSeconds } = issued;
  const stored = { accessToken, refreshToken, server, client, proofKey, signIn };
  const lifeMs =
    expiresInSeconds === undefined
      ? undefined
      : Math.min(expiresInSeconds, longestLifeSeconds) * 1_000;
  return {
    scopes: [...(issued.scopes ?? scopes)],
    expiresAt: lifeMs === undefined ? null : Math.round(now + lifeMs),
    refreshAt:
      lifeMs === undefined ? null : Math.round(now + lifeMs - Math.min(aheadMs, lifeMs / 4)),
    isRefreshable: refreshToken !== null || signIn !== undefined,
    tokens: await sealStored(sealer, { tenantId, connectionId }, stored),
    target,
    modifiedAt: now,
  };
};
