import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import type { UnregisterWebhookMessage } from "../messages.ts";
import { getWebhook } from "../webhook/store.ts";
import { type RegistrationDeps, reach } from "./reach-registrar.ts";

/**
 * Removes the listener of a deleted or moved webhook. One that cannot be removed (no or refused credentials) is
 * left at the provider and logged; its deliveries get 404. Throws to be retried. Idempotent.
 * @param input `until`: deadline of all calls, Unix milliseconds
 */
export const unregisterWebhook = async (
  deps: RegistrationDeps,
  {
    message: { tenantId, webhookId, provider, remote, externalContext },
    until,
  }: { message: UnregisterWebhookMessage; until: number },
): Promise<void> => {
  const about = { tenantId, webhookId, provider };
  const webhook = await getWebhook(deps.db, tenantId, webhookId);
  if (webhook?.status === "PENDING") {
    throw new Error("the webhook is being registered and may still use this listener");
  }
  if (webhook?.remote?.id === remote.id) {
    return log("listener-in-use", about);
  }
  const place = { provider, configId: remote.configId, externalContext };
  const reached = await reach(deps, { tenantId, place, until });
  if (!reached) {
    return log("listener-without-config", about);
  }
  try {
    await reached.registrar.unregister(reached.target, remote.id);
  } catch (error) {
    if (refusalIn(error)?.isTransient !== false) throw error;
    log("listener-left", { ...about, error: asError(error) });
  }
};
