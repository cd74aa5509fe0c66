import { countWebhookDelivery } from "../auth/authenticate.ts";
import { packValue } from "../db/large-value.ts";
import { deliveriesPrefix } from "../db/table.ts";
import { isUuid } from "../http/ids.ts";
import { noCheckByGet, notFound } from "../http/problems.ts";
import type { DispatchDeliveryMessage } from "../queue/messages.ts";
import { newUuid } from "../runtime/runtime.ts";
import type { TenantOwner } from "../tenant/store.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { getWebhook, learnSecret, openSecret } from "../webhook/store.ts";
import { parsePayload } from "../webhooks/parse-payload.ts";
import { findWebhookProvider } from "../webhooks/providers/index.ts";
import { safeHeaders } from "../webhooks/safe-headers.ts";
import type { InboundAnswer, WebhookProvider } from "../webhooks/webhook-provider.ts";
import {
  type Arrival,
  admitArrival,
  attemptOf,
  checkSignature,
  type InboundDeps,
  refuse,
} from "./admit-arrival.ts";
import { toQueued } from "./queued-value.ts";

/** A list of deliveries reads their items whole: what is larger, compressed, goes to the bucket. */
const mostInline = 16_000;

/**
 * Takes in what a provider sends: a delivery is on the queue before it is answered; a check of the address
 * is answered as the provider wants. Throws 401, 403 and 404 as other routes do, the key in the path being
 * the credentials, or else the provider's own signature.
 */
export const acceptDelivery = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<InboundAnswer> => {
  const { request, key } = arrival;
  const { provider, tenant, webhook } = await findAddressed(deps, arrival);
  const payload = parsePayload(request.headers.get("content-type")?.[0], request.body);
  const isSigned = provider.signing.isSigned(request);
  const needsSecret = isSigned || provider.handshake !== undefined;
  const secret = needsSecret ? await openSecret(deps.sealer, tenant.id, webhook) : null;
  // What a provider signs with a secret that we do not know says nothing against a key that is right.
  const isUnknown = webhook.isStandIn && key !== undefined;
  if (isSigned && secret !== null && !isUnknown) {
    await checkSignature(deps, arrival, provider.signing, secret, refusalOf(webhook));
  }
  const handshake = provider.handshake?.(request, payload, secret);
  if (handshake) {
    if (handshake.learns) {
      if (key === undefined) await refuse(deps, arrival);
      const learning = { before: webhook, ...handshake.learns };
      await learnSecret(deps.db, deps.sealer, tenant.id, learning);
    }
    return handshake.answer;
  }
  if (request.method === "GET") throw noCheckByGet(provider.displayName);
  if (key === undefined) {
    if (!isSigned || secret === null) await refuse(deps, arrival, refusalOf(webhook));
    await countWebhookDelivery(deps, webhook.id, attemptOf(arrival), arrival.reportRateLimit);
  }
  await queueDelivery(deps, arrival, { provider, tenant, webhook, payload });
  return provider.acknowledge?.(request, payload) ?? { status: 204 };
};

/** What a refused sender has to mend, where more is known than that the signature is not right. */
const refusalOf = ({ secret, isStandIn }: WebhookItem): string | undefined => {
  if (secret !== null && !isStandIn) return undefined;
  return "The signature of the delivery cannot be checked: this webhook has not been given the provider's signingSecret. PATCH it, or end the address with an API key.";
};

const findAddressed = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<{ provider: WebhookProvider; tenant: TenantOwner; webhook: WebhookItem }> => {
  const provider = findWebhookProvider(arrival.provider);
  const unknown = notFound("webhook", arrival.id);
  if (!provider || !isUuid(arrival.id)) throw unknown;
  const tenant = await admitArrival(deps, arrival, unknown);
  const webhook = await getWebhook(deps.db, tenant.id, arrival.id);
  if (!webhook || webhook.provider !== provider.id || webhook.status === "DISABLED") throw unknown;
  return { provider, tenant, webhook };
};

const queueDelivery = async (
  { objects, send }: InboundDeps,
  { request, runtime }: Arrival,
  {
    provider,
    tenant,
    webhook,
    payload,
  }: { provider: WebhookProvider; tenant: TenantOwner; webhook: WebhookItem; payload: unknown },
): Promise<void> => {
  const id = newUuid(runtime);
  const objectKey = `${deliveriesPrefix}/${tenant.id}/${webhook.id}/${id}`;
  const packed = await packValue(payload, objectKey, objects, mostInline);
  const message: DispatchDeliveryMessage = {
    type: "dispatch-delivery",
    tenantId: tenant.id,
    webhookId: webhook.id,
    id,
    content: {
      provider: provider.id,
      ...provider.describe(request, payload),
      receivedAt: runtime.clock(),
      size: request.body.byteLength,
      headers: safeHeaders(request.headers, provider.secretHeaders),
      payload: toQueued(packed),
    },
  };
  await send("deliveries", tenant.id, message);
};
