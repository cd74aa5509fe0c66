import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { getWebhook } from "../webhook/store.ts";
import {
  type ExpiringItem,
  listExpiring,
  putExpired,
  putRenewal,
  removeExpiring,
} from "./expiring-store.ts";
import { type RegistrationDeps, reach } from "./reach-registrar.ts";

const aheadMs = 3 * 24 * 60 * 60 * 1_000;

/**
 * Renews the listeners that expire within three days. A failure is retried by the next run until the listener has
 * expired, which fails the webhook. Safe to run concurrently.
 * @param until when to stop, Unix milliseconds
 */
export const renewRegistrations = async (deps: RegistrationDeps, until: number): Promise<void> => {
  for await (const item of listExpiring(deps.db, deps.clock() + aheadMs)) {
    if (deps.clock() >= until) return log("listeners-left-to-renew");
    try {
      await renew(deps, item, until);
    } catch (error) {
      const { tenantId, webhookId } = item;
      log("listener-not-renewed", { tenantId, webhookId, error: asError(error) });
    }
  }
};

const renew = async (deps: RegistrationDeps, item: ExpiringItem, until: number): Promise<void> => {
  const { db, clock } = deps;
  const { tenantId, webhookId } = item;
  const webhook = await getWebhook(db, tenantId, webhookId);
  if (!webhook?.remote || webhook.expiresAt !== item.expiresAt) return removeExpiring(db, item);
  const { remote, provider, externalContext } = webhook;
  try {
    const place = { provider, configId: remote.configId, externalContext };
    const reached = await reach(deps, { tenantId, place, until });
    const expiresAt = await reached?.registrar.renew?.(reached.target, remote.id, clock());
    if (expiresAt !== undefined && expiresAt > item.expiresAt) {
      const outcome = await putRenewal(db, item, remote, expiresAt);
      return outcome === "refused" ? removeExpiring(db, item) : undefined;
    }
  } catch (error) {
    if (clock() < item.expiresAt || !refusalIn(error)) throw error;
  }
  if (clock() < item.expiresAt) return;
  const reason = "The listener at the provider has expired and could not be renewed.";
  await putExpired(db, item, remote, { reason, now: clock() });
};
