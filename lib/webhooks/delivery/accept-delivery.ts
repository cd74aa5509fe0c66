import type { AcceptedDelivery, Arrival, InboundDeps } from "../../edge/inbound-endpoint.ts";
import { countSignedDelivery } from "../../platform/auth/count-requests.ts";
import { requireWithinLimit } from "../../platform/auth/rate-limit.ts";
import { isUuid } from "../../platform/http/ids.ts";
import type { InboundRequest } from "../../platform/http/inbound.ts";
import { noCheckByGet, unknownAddress, verificationFailed } from "../../platform/http/problems.ts";
import type { RateLimit } from "../../platform/http/rate-limit.ts";
import { findWebhookProvider } from "../../vendors/registry/find-webhook-provider.ts";
import { parsePayload } from "../../vendors/shared/webhook/parse-payload.ts";
import type { WebhookProvider } from "../../vendors/webhook-provider.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { getWebhook, learnSecret, openSecret } from "../webhook/store.ts";
import { queueDelivery } from "./queue-delivery.ts";
import { notSigned, requireSignature } from "./require-signature.ts";

/** Largest body that is parsed for an unauthenticated caller, as a provider's URL verification. */
const maxHandshakeBytes = 16_384;

type Addressed = { provider: WebhookProvider; webhook: WebhookItem };
type Sender = { secret: string | null; isVerified: boolean };

/**
 * Receives a provider's request: queues a delivery before responding, or responds to a URL verification. Parses a
 * delivery only after its sender is verified, by the key in the path or by the signature over the raw bytes. Throws
 * 401, 403, 404 and 429.
 */
export const acceptDelivery = async (
  deps: InboundDeps,
  arrival: Arrival,
): Promise<AcceptedDelivery> => {
  const { request, hasKey, runtime, tenant } = arrival;
  const { provider, webhook } = await findAddressed(deps, arrival);
  const { secret, isVerified } = await verifySender(deps, arrival, { provider, webhook });
  const rateLimit = hasKey || !isVerified ? undefined : await count(deps, webhook, runtime.clock());
  const payload =
    hasKey || isVerified || mayBeHandshake(provider, request)
      ? parsePayload(request.headers.get("content-type")?.[0], request.body)
      : undefined;
  const handshake = provider.handshake?.(request, payload, secret);
  if (handshake) {
    if ("refused" in handshake) throw verificationFailed(handshake.refused);
    if (handshake.learns) {
      if (!hasKey) throw notSigned();
      const learning = { before: webhook, ...handshake.learns };
      await learnSecret(deps.db, deps.sealer, tenant.id, learning);
    }
    return { response: handshake.response, rateLimit };
  }
  if (request.method === "GET") throw noCheckByGet(provider.displayName);
  if (!hasKey && !isVerified) throw notSigned(describeRefusal(webhook));
  await queueDelivery(deps, { arrival, provider, webhook, payload, isVerified });
  return { response: provider.acknowledge?.(request, payload) ?? { status: 204 }, rateLimit };
};

const mayBeHandshake = ({ handshake }: WebhookProvider, { body }: InboundRequest): boolean =>
  handshake !== undefined && body.byteLength <= maxHandshakeBytes;

/**
 * Verifies the provider's signature over the raw bytes. A signature is optional with a key in the path, but an
 * invalid one is refused.
 */
const verifySender = async (
  { sealer }: InboundDeps,
  { request, runtime, hasKey, tenant, countUnknown }: Arrival,
  { provider, webhook }: Addressed,
): Promise<Sender> => {
  const isSigned = provider.signing.isSigned(request);
  // Any caller can request a verification of the address, which needs the secret.
  if (!hasKey && !isSigned) await countUnknown();
  const needsSecret = isSigned || provider.handshake !== undefined;
  const secret = needsSecret ? await openSecret(sealer, tenant.id, webhook) : null;
  // With a valid key, a signature by the provider's own secret is ignored until that secret is set.
  const isUnknown = webhook.isStandIn && hasKey;
  const isVerified = isSigned && secret !== null && !isUnknown;
  if (isVerified) {
    const expected = { secret, now: runtime.clock(), detail: describeRefusal(webhook) };
    requireSignature(provider.signing, request, expected);
  }
  return { secret, isVerified };
};

/** Counts a signed delivery in its webhook's window. Throws 429. */
const count = async (
  deps: InboundDeps,
  { id }: WebhookItem,
  now: number,
): Promise<RateLimit | undefined> => {
  const rateLimit = await countSignedDelivery(deps, { webhookId: id, now });
  if (rateLimit) requireWithinLimit(rateLimit, now);
  return rateLimit;
};

/** Returns a specific reason for refusing a sender, if known. */
const describeRefusal = ({ secret, isStandIn }: WebhookItem): string | undefined => {
  if (secret !== null && !isStandIn) return undefined;
  return "The signature cannot be verified because the webhook does not have the provider's signingSecret. Set it with PATCH, or append an API key to the URL.";
};

const findAddressed = async ({ db }: InboundDeps, arrival: Arrival): Promise<Addressed> => {
  const { tenant, id } = arrival;
  const provider = findWebhookProvider(arrival.provider);
  if (!provider || !isUuid(id)) throw unknownAddress("webhook", id);
  const webhook = await getWebhook(db, tenant.id, id);
  if (!webhook || webhook.provider !== provider.id || webhook.status === "DISABLED")
    throw unknownAddress("webhook", id);
  return { provider, webhook };
};
