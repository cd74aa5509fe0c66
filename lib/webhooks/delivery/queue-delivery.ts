import { createHash } from "node:crypto";
import type { Arrival, InboundDeps } from "../../edge/inbound-endpoint.ts";
import { packValue, toQueued } from "../../platform/db/large-value.ts";
import { retainedPrefix } from "../../platform/db/retained-prefix.ts";
import { deliveriesPrefix } from "../../platform/db/table.ts";
import { computeTtl } from "../../tenancy/tenant/retention.ts";
import type { WebhookProvider } from "../../vendors/webhook-provider.ts";
import type { DispatchDeliveryMessage } from "../messages.ts";
import type { WebhookItem } from "../webhook/items.ts";
import { newDeliveryId } from "./delivery-id.ts";
import { keepBody } from "./kept-body.ts";
import { safeHeaders, signatureHeaders } from "./safe-headers.ts";

/** Larger compressed payloads are stored in the bucket, because listing deliveries reads their items whole. */
const maxInline = 16_000;

/** Larger bodies are always stored in the bucket: their JSON may be too large for a response. */
const maxInlineBody = 256_000;

/** A request of a provider that was accepted. `isVerified`: by its signature. */
export type AcceptedRequest = {
  arrival: Pick<Arrival, "request" | "runtime" | "tenant">;
  provider: WebhookProvider;
  webhook: WebhookItem;
  payload: unknown;
  isVerified: boolean;
};

/** Queues a delivery with its parsed payload. Returns its id. */
export const queueDelivery = async (
  { objects, send }: Pick<InboundDeps, "objects" | "send">,
  {
    arrival: { request, runtime, tenant },
    provider,
    webhook,
    payload,
    isVerified,
  }: AcceptedRequest,
): Promise<string> => {
  const { eventType, deliveryId } = provider.describe(request, payload);
  const receivedAt = runtime.clock();
  const { deliveryDays } = tenant.retention;
  const id = newDeliveryId(runtime, webhook.id, deliveryId);
  const objectKey = `${retainedPrefix(deliveriesPrefix, deliveryDays)}/${tenant.id}/${webhook.id}/${id}`;
  const isLarge = request.body.byteLength > maxInlineBody;
  const headers = safeHeaders(request.headers, provider.secretHeaders);
  const body = keepBody(payload, request.body);
  // The object of a large delivery is its payload's JSON, to which responses link.
  const isApart = isLarge && body.keptAs === "body";
  const kept = isApart ? { keptAs: "payload" as const, value: payload } : body;
  const packed = await packValue(kept.value, objectKey, objects, isLarge ? 0 : maxInline);
  const apart = isApart && (await packValue(body.value, `${objectKey}.body`, objects, 0));
  const message: DispatchDeliveryMessage = {
    type: "dispatch-delivery",
    tenantId: tenant.id,
    webhookId: webhook.id,
    id,
    content: {
      provider: provider.id,
      eventType,
      deliveryId,
      ...(isVerified && { signedBody: signedDigest(provider, request.body, eventType) }),
      receivedAt,
      ttl: computeTtl(receivedAt, deliveryDays),
      size: request.body.byteLength,
      headers,
      payload: toQueued(packed),
      keptAs: kept.keptAs,
      ...(apart && "object" in apart && { bodyObject: apart.object }),
      signatureHeaders: signatureHeaders(request.headers, provider.secretHeaders),
    },
  };
  await send("deliveries", tenant.id, message);
  return id;
};

/** Returns the digest that deduplicates a signed delivery; undefined where its id is enough. */
const signedDigest = (
  { signedIdentity }: WebhookProvider,
  body: Uint8Array,
  eventType: string | null,
): string | undefined => {
  if (signedIdentity === undefined) return undefined;
  const hash = createHash("sha256").update(body);
  if (signedIdentity === "body and event type") hash.update(`\n${eventType ?? ""}`);
  return hash.digest("base64url");
};
