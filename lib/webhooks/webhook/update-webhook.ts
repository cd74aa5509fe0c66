import type { Database } from "../../platform/db/database.ts";
import { retryOnConflict } from "../../platform/db/retry-on-conflict.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { beingChanged } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";
import { authorizeAllSubscribers } from "./authorize-subscribers.ts";
import { canRegister } from "./can-register.ts";
import { checkSecret } from "./check-secret.ts";
import type { WebhookItem } from "./items.ts";
import { planChange } from "./plan-change.ts";
import { requestRegistration, requestUnregistration } from "./request-registration.ts";
import { requireWebhook } from "./require-webhook.ts";
import type { UpdateWebhookBody, Webhook } from "./schemas.ts";
import { openSecret, sealWebhookSecret } from "./secret.ts";
import { changeWebhook } from "./store.ts";
import { toWebhook } from "./to-webhook.ts";

/**
 * Updates a webhook and its listener. The response contains a secret that the provider created and
 * that was not shown before. Throws 404, 403 for a caller who could then deliver to agents they may
 * not run, 400 for an invalid signing secret, and 409 on repeated concurrent changes.
 */
export const updateWebhook = async (
  { db, sealer, send }: { db: Database; sealer: Sealer; send: Send },
  {
    ctx,
    webhookId,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "tenant" | "principal" | "baseUrl">;
    webhookId: string;
    body: UpdateWebhookBody;
  },
): Promise<Webhook> => {
  const tenantId = ctx.tenant.id;
  const { signingSecret } = body;
  return retryOnConflict({ error: () => beingChanged("webhook", webhookId) }, async () => {
    const before = await requireWebhook(db, tenantId, webhookId);
    if (exposesWebhook(before, body)) await authorizeAllSubscribers(db, ctx, webhookId);
    const provider = findWebhookProvider(before.provider);
    if (provider && typeof signingSecret === "string") checkSecret(provider, signingSecret);
    const { externalContext = before.externalContext } = body;
    const { provider: providerId } = before;
    const place = { provider: providerId, externalContext };
    const plan = planChange(before, body, await canRegister(db, tenantId, place));
    const isShown = before.isSecretToShow && signingSecret === undefined;
    const secret =
      typeof signingSecret === "string"
        ? await sealWebhookSecret(sealer, tenantId, webhookId, signingSecret)
        : signingSecret;
    const seen = before.isSecretToShow && { isSecretToShow: false, statusReason: null };
    const given = signingSecret !== undefined && { isStandIn: false };
    const changed = { ...plan.change, ...seen, ...given, secret, modifiedAt: ctx.clock() };
    const after = await changeWebhook(db, { tenantId, webhookId }, changed, before);
    if (!after) return "changed";
    if (plan.leavesListener) await requestUnregistration(send, tenantId, webhookId, before);
    if (plan.registers) await requestRegistration(send, tenantId, webhookId);
    return toWebhook(ctx, after, isShown ? await openSecret(sealer, tenantId, before) : null);
  });
};

/** Returns whether a change reveals the signing secret or allows other senders. */
const exposesWebhook = (
  { isSecretToShow }: Pick<WebhookItem, "isSecretToShow">,
  { signingSecret, externalContext }: UpdateWebhookBody,
): boolean =>
  isSecretToShow === true || signingSecret !== undefined || externalContext !== undefined;
