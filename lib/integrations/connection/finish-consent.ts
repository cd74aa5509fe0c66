import { TenantId } from "../../platform/db/tenant-id.ts";
import { unknownLink } from "../../platform/http/problems.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { Send } from "../../platform/queue/send.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { sameText, sha256Hex } from "../../platform/signatures/signatures.ts";
import type { Slot } from "../../platform/slots/tenant-slots.ts";
import { withSlot } from "../../platform/slots/with-slot.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import { limitChain } from "../oauth/oauth-fetch.ts";
import type { SignIn } from "../oauth/oauth-server.ts";
import { type CodeResponse, exchangeCode, type TokenOutcome } from "../oauth/request-tokens.ts";
import { nameCookie } from "./begin-consent.ts";
import type { ConnectionDeps } from "./connection-deps.ts";
import { type ConsentItem, ConsentSecrets, getConsent, useUpConsent } from "./consent-store.ts";
import { requestSignedInTokens, toSignIn } from "./request-signed-in-tokens.ts";
import { revokeGranted } from "./revoke-granted.ts";
import { sealTokens } from "./seal-tokens.ts";
import { sendResume } from "./send-resume.ts";
import { changeConnection, getConnection, putConsentedTokens } from "./store.ts";
import { refuseScopes } from "./want-scopes.ts";

/**
 * End of a consent. `over`: its state was used, or its time is over. `busy`: all slots of the tenant are taken, the state is as it was.
 * `code`: of the failure.
 */
export type ConsentEnd =
  | { outcome: "connected" | "denied" | "over" | "other-browser" | "deleted" | "busy" }
  | { outcome: "failed"; code: string };

/** The browser's request to the callback. */
export type CallbackRequest = {
  parameters: URLSearchParams;
  /** Returns the value of a cookie that the browser sent. */
  cookie: (name: string) => string | undefined;
  baseUrl: string;
};

/** Takes one of the tenant's slots, to wait for its servers; undefined when all are taken. */
type TakeTenantSlot = (tenantId: TenantId) => Promise<Slot | undefined>;

/**
 * Finishes a consent: compares the browser with the one that began, uses the state up, exchanges the code, and stores the
 * tokens. A connection that is active stays so when another consent fails. Throws 404 for a state of no tenant.
 */
export const finishConsent = async (
  deps: ConnectionDeps & { send: Send; takeSlot?: TakeTenantSlot },
  { parameters, cookie, baseUrl }: CallbackRequest,
): Promise<ConsentEnd> => {
  const { db, runtime } = deps;
  const state = parameters.get("state") ?? "";
  const tenantId = TenantId.safeParse(state.split(".")[0]).data;
  if (!tenantId || !(await findOwner(db, tenantId, runtime.clock()))) throw unknownLink();
  const stateHash = sha256Hex(state);
  const consent = await getConsent(db, tenantId, stateHash);
  if (!consent || consent.expiresAt <= runtime.clock()) return { outcome: "over" };
  const browser = cookie(nameCookie(stateHash, baseUrl));
  if (browser === undefined || !sameText(sha256Hex(browser), consent.browserHash)) {
    return { outcome: "other-browser" };
  }
  const { takeSlot } = deps;
  const finish = async (): Promise<ConsentEnd> => {
    if (!(await useUpConsent(db, tenantId, stateHash))) return { outcome: "over" };
    return exchange(deps, { tenantId, consent, parameters, state });
  };
  return (await withSlot(takeSlot && (() => takeSlot(tenantId)), finish)) ?? { outcome: "busy" };
};

type Exchange = {
  tenantId: TenantId;
  consent: ConsentItem;
  parameters: URLSearchParams;
  state: string;
};

const exchange = async (
  deps: ConnectionDeps & { send: Send },
  { tenantId, consent, parameters, state }: Exchange,
): Promise<ConsentEnd> => {
  const { sealer } = deps;
  const { stateHash, sealed } = consent;
  const secrets = ConsentSecrets.parse(await sealer.open(sealed, { tenantId, stateHash }));
  const { redirectUri, verifier } = secrets;
  try {
    return await limitChain(deps, async (limited): Promise<ConsentEnd> => {
      const response = { parameters, state, redirectUri, verifier };
      const outcome = await redeem(limited, secrets, response);
      if (!("refused" in outcome)) return store(limited, { tenantId, consent, secrets, outcome });
      await markFailed(deps, { tenantId, consent, secrets, error: outcome.refused });
      return outcome.refused === "access_denied"
        ? { outcome: "denied" }
        : { outcome: "failed", code: outcome.refused };
    });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const code = error.timedOut ? "upstream-timeout" : "upstream-failed";
    await markFailed(deps, { tenantId, consent, secrets, error: code });
    return { outcome: "failed", code };
  }
};

type Issued = Extract<TokenOutcome, { tokens: unknown }> & { signIn?: SignIn | undefined };

/**
 * Exchanges the code for tokens; that of an identity provider for a sign-in, and that for tokens. A sign-in that gives none is not
 * revoked: identity providers may end all sessions of the person with the client.
 */
const redeem = async (
  deps: ConnectionDeps,
  { identityProvider, ...secrets }: ConsentSecrets,
  response: CodeResponse,
): Promise<Issued | { refused: string }> => {
  if (!identityProvider) return exchangeCode(deps, secrets, response);
  const signedIn = await exchangeCode(deps, identityProvider, response);
  if ("refused" in signedIn) return signedIn;
  const { refreshToken = null, idToken } = signedIn.tokens;
  if (idToken === undefined) return { refused: "no-id-token" };
  const signIn = toSignIn(identityProvider, { idToken, refreshToken });
  const outcome = await requestSignedInTokens(deps, { ...secrets, signIn });
  return "refused" in outcome ? outcome : { ...outcome, signIn };
};

const store = async (
  deps: ConnectionDeps & { send: Send },
  {
    tenantId,
    consent: { connectionId, serial, connectedAt },
    secrets,
    outcome: { tokens: issued, signIn },
  }: { tenantId: TenantId; consent: ConsentItem; secrets: ConsentSecrets; outcome: Issued },
): Promise<ConsentEnd> => {
  const { db, sealer, runtime } = deps;
  const { server, client, proofKey, scopes, addedScopes, target } = secrets;
  const now = runtime.clock();
  const place = { tenantId, connectionId };
  const tokens = await sealTokens(sealer, place, {
    issued,
    server,
    client,
    proofKey,
    signIn,
    scopes,
    target,
    now,
  });
  await sendResume(deps, place);
  const connection = { id: connectionId, serial, connectedAt };
  const isStored = await putConsentedTokens(db, tenantId, connection, {
    ...tokens,
    requestedScopes: scopes,
    addedScopes,
    connectedAt: now,
  });
  if (isStored) return { outcome: "connected" };
  const current = await getConnection(db, tenantId, connectionId);
  const isOver = current?.serial === serial && current.status !== "Revoked";
  const { accessToken, refreshToken = null } = issued;
  // Identity providers may end all sessions of the person with the client, and with them that of the other consent.
  const granted = { server, client, accessToken, refreshToken, ...(!isOver && { signIn }) };
  await revokeGranted(deps, granted).catch((error: unknown) =>
    log("connection-not-revoked", { error: asError(error) }),
  );
  return { outcome: isOver ? "over" : "deleted" };
};

type Failed = Pick<Exchange, "tenantId" | "consent"> & { secrets: ConsentSecrets; error: string };

const markFailed = async (
  deps: ConnectionDeps & { send: Send },
  { tenantId, consent, secrets: { scopes }, error }: Failed,
): Promise<void> => {
  const { db, runtime } = deps;
  const { connectionId } = consent;
  if (error === "invalid_scope") await refuseScopes(deps, { tenantId, connectionId, scopes });
  const item = await getConnection(db, tenantId, connectionId);
  if (item?.serial !== consent.serial || item.status === "Active" || item.status === "Revoked")
    return;
  const change = { status: "Failed" as const, error, modifiedAt: runtime.clock() };
  await changeConnection(db, tenantId, item, change);
};
