import { findPublishedConfig } from "../../integrations/config/published-store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import {
  ProviderApiError,
  type Refusal,
  refusalIn,
} from "../../platform/outgoing/provider-api-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import type { Listener, Registrar, RegistrationTarget, Wanted } from "../../vendors/registrar.ts";
import type { RegisterWebhookMessage } from "../messages.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { getWebhook, learnSecret, openSecret } from "../webhook/store.ts";
import { buildWebhookUrl } from "../webhook/to-webhook.ts";
import { type ListenerKey, type RegistrationDeps, reach } from "./reach-registrar.ts";
import {
  acquireRegistration,
  deleteRegistration,
  getRegistration,
  putListener,
  putRegistrationFailure,
  releaseRegistration,
} from "./store.ts";

const rounds = 4;
const attempts = 3;
const pauseMs = 2_000;
/** Longer than the worker's timeout: when the lease expires, no worker is registering. */
const leaseMs = 180_000;

/**
 * Registers the listener of a pending webhook and saves the outcome. Idempotent, also after a
 * crash: looks for an existing listener first, and removes it if the webhook was deleted. Throws to
 * be retried.
 * @param input `until`: deadline of all calls, Unix milliseconds
 */
export const registerWebhook = async (
  deps: RegistrationDeps,
  { message: { tenantId, webhookId }, until }: { message: RegisterWebhookMessage; until: number },
): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const webhook = await getWebhook(deps.db, tenantId, webhookId);
    if (!webhook) return removeLeftover(deps, tenantId, webhookId, until);
    if (webhook.status !== "PENDING") return;
    if ((await registerAsItIs(deps, tenantId, webhook, until)) === "settled") return;
  }
  throw new Error("the webhook was changed by concurrent requests too often to be registered");
};

/** Registers a webhook as read; "changed" when it changed or was deleted meanwhile. */
const registerAsItIs = async (
  deps: RegistrationDeps,
  tenantId: TenantId,
  webhook: WebhookItem,
  until: number,
): Promise<"settled" | "changed"> => {
  const { db, clock } = deps;
  const fail = (reason: string) =>
    putRegistrationFailure(db, tenantId, webhook, { reason, now: clock() });
  const configId = await findPublishedConfig(db, tenantId, webhook.provider);
  const place = configId === undefined ? undefined : toRegistrationPlace(webhook, configId);
  const reached = place && (await reach(deps, { tenantId, place, until }));
  if (!place || !reached) {
    return fail(`The tenant has no published integration config for ${webhook.provider}.`);
  }
  if (webhook.secret === null && reached.registrar.newSecret) {
    const secret = reached.registrar.newSecret(deps.randomBytes);
    await learnSecret(db, deps.sealer, tenantId, { before: webhook, secret });
    return "changed";
  }
  const wanted: Wanted = {
    url: buildWebhookUrl(tenantId, { ...webhook, baseUrl: deps.publicUrl ?? webhook.baseUrl }),
    secret: await openSecret(deps.sealer, tenantId, webhook),
    filter: webhook.filter,
    now: clock(),
  };
  const webhookPlace = { tenantId, webhookId: webhook.id };
  const item = { ...place, url: wanted.url, until: wanted.now + leaseMs };
  const holder = newUuid(deps);
  const claim = { holder, now: wanted.now };
  if ((await acquireRegistration(db, webhookPlace, item, claim)) === "taken") {
    throw new Error("the webhook is being registered by another worker");
  }
  try {
    const outcome = await registerPatiently(deps, reached, wanted, until);
    if ("remoteId" in outcome) {
      const newListener = { listener: outcome, configId: place.configId };
      return await saveListener(deps, { tenantId, webhook, ...reached }, newListener);
    }
    if (outcome.isTransient) await removeByUrl(reached, wanted.url).catch(logLeftover(webhook.id));
    const failed = await fail(outcome.reason);
    await deleteRegistration(db, tenantId, webhook.id);
    return failed;
  } catch (error) {
    await releaseRegistration(db, webhookPlace, holder);
    throw error;
  }
};

type Reached = { registrar: Registrar; target: RegistrationTarget };

const toRegistrationPlace = (
  { provider, externalContext }: WebhookItem,
  configId: string,
): ListenerKey => ({
  provider,
  configId,
  externalContext,
});

/**
 * Registers a listener with retries, or returns the refusal. When the provider reports an existing listener, looks
 * it up.
 */
const registerPatiently = async (
  { clock, sleep }: RegistrationDeps,
  { registrar, target }: Reached,
  wanted: Wanted,
  until: number,
): Promise<Listener | Refusal> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await registrar.register(target, wanted);
    } catch (error) {
      const refusal = refusalIn(error);
      if (!refusal) throw error;
      const waitMs = attempt * pauseMs;
      const isWorthwhile = refusal.isTransient || (await isThere(error, registrar, target, wanted));
      if (!isWorthwhile || attempt === attempts || clock() + waitMs >= until) return refusal;
      if (refusal.isTransient) await sleep(waitMs);
    }
  }
};

/** Returns whether the refusal was caused by an existing listener with the URL. */
const isThere = async (
  error: unknown,
  registrar: Registrar,
  target: RegistrationTarget,
  { url }: Wanted,
): Promise<boolean> => {
  if (!(error instanceof ProviderApiError && error.status === 422)) return false;
  const found = await registrar.find(target, url).catch(() => undefined);
  return found !== undefined;
};

/** Saves a listener; removes it again when its webhook was deleted or moved meanwhile. */
const saveListener = async (
  { db, clock }: RegistrationDeps,
  { tenantId, webhook, registrar, target }: Reached & { tenantId: TenantId; webhook: WebhookItem },
  newListener: { listener: Listener; configId: string },
): Promise<"settled" | "changed"> => {
  const put = (read: WebhookItem) =>
    putListener(db, tenantId, read, { ...newListener, now: clock() });
  if ((await put(webhook)) === "settled") return "settled";
  const after = await getWebhook(db, tenantId, webhook.id);
  const isInPlace = after?.externalContext === webhook.externalContext;
  if (after && isInPlace && after.status !== "PENDING" && (await put(after)) === "settled") {
    return "settled";
  }
  if (!isInPlace) await registrar.unregister(target, newListener.listener.remoteId);
  await deleteRegistration(db, tenantId, webhook.id);
  return "changed";
};

/** Removes the listener that a crashed worker may have created for a deleted webhook. */
const removeLeftover = async (
  deps: RegistrationDeps,
  tenantId: TenantId,
  webhookId: string,
  until: number,
): Promise<void> => {
  const left = await getRegistration(deps.db, tenantId, webhookId);
  if (!left) return;
  if (left.until > deps.clock()) {
    throw new Error("the webhook is being registered by another worker");
  }
  const reached = await reach(deps, { tenantId, place: left, until });
  if (reached) await removeByUrl(reached, left.url);
  await deleteRegistration(deps.db, tenantId, webhookId);
};

const removeByUrl = async ({ registrar, target }: Reached, url: string): Promise<void> => {
  const remoteId = await registrar.find(target, url);
  if (remoteId !== undefined) await registrar.unregister(target, remoteId);
};

const logLeftover = (webhookId: string) => (error: unknown) =>
  log("listener-maybe-left", { webhookId, error: asError(error) });
