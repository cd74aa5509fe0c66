import type { Database } from "../../platform/db/database.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import { conflict, validationFailed } from "../../platform/http/problems.ts";
import type { Send } from "../../platform/queue/send.ts";
import { newUuid, type Runtime } from "../../platform/runtime/runtime.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";
import { webhookProviderIds } from "../../vendors/registry/ids.ts";
import type { WebhookProvider } from "../../vendors/webhook-provider.ts";
import { canRegister } from "./can-register.ts";
import { checkSecret } from "./check-secret.ts";
import type { WebhookItem } from "./items.ts";
import { requestRegistration } from "./request-registration.ts";
import type { CreateWebhookBody, Webhook } from "./schemas.ts";
import { sealWebhookSecret } from "./secret.ts";
import { hasMostWebhooks, maxWebhooks, putWebhook } from "./store.ts";
import { toWebhook } from "./to-webhook.ts";

/**
 * Creates a webhook and, where the tenant has credentials for its provider, queues the registration of a listener.
 * Only this response contains the signing secret. Throws 400 for an unknown provider or invalid secret and 409
 * when the limit is reached.
 */
export const createWebhook = async (
  { db, sealer, send }: { db: Database; sealer: Sealer; send: Send },
  {
    ctx,
    body,
  }: {
    ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "baseUrl">;
    body: CreateWebhookBody;
  },
): Promise<Webhook> => {
  const tenantId = ctx.tenant.id;
  const provider = requireProvider(body.provider);
  const secret = secretFor(provider, body.signingSecret ?? null, ctx);
  if (await hasMostWebhooks(db, tenantId)) {
    throw conflict(`This tenant has reached its limit of ${maxWebhooks} webhooks.`);
  }
  const { externalContext = null } = body;
  const place = { provider: provider.id, externalContext };
  const registers = await canRegister(db, tenantId, place);
  const id = newUuid(ctx);
  const now = ctx.clock();
  const item: WebhookItem = {
    id,
    provider: provider.id,
    authMode: provider.authMode,
    status: registers ? "PENDING" : "ACTIVE",
    statusReason: null,
    externalContext,
    filter: body.filter ?? null,
    expiresAt: null,
    createdAt: now,
    modifiedAt: now,
    baseUrl: ctx.baseUrl,
    secret: secret === null ? null : await sealWebhookSecret(sealer, tenantId, id, secret),
    isSecretToShow: false,
    isStandIn: secret !== null && !body.signingSecret && provider.signing.issuedBy === "provider",
    remote: null,
  };
  await putWebhook(db, tenantId, item);
  if (registers) await requestRegistration(send, tenantId, id);
  return toWebhook(ctx, item, item.authMode === "HMAC" ? secret : null);
};

const requireProvider = (id: string): WebhookProvider => {
  const provider = findWebhookProvider(id);
  if (provider) return provider;
  const detail = `must be one of ${webhookProviderIds.join(", ")}`;
  throw validationFailed([{ pointer: "/provider", detail }]);
};

/**
 * Returns the given or a new secret; null where only the provider can create it or signing is optional, since an
 * unknown secret would reject what the sender signs.
 */
const secretFor = (
  provider: WebhookProvider,
  given: string | null,
  { randomBytes }: Pick<Runtime, "randomBytes">,
): string | null => {
  if (given !== null) {
    checkSecret(provider, given);
    return given;
  }
  if (provider.authMode !== "HMAC") return null;
  return provider.signing.generate?.(randomBytes) ?? null;
};
