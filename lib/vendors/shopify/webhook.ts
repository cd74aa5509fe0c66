import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacBase64, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

/** Newer events use the same headers without `x-`. */
const headerNamed = (request: InboundRequest, name: string): string | undefined =>
  getSingleHeader(request, `x-shopify-${name}`) ?? getSingleHeader(request, `shopify-${name}`);

const signatureHeaders = ["x-shopify-hmac-sha256", "shopify-hmac-sha256"] as const;

const findSignatureHeader = (request: InboundRequest): string =>
  signatureHeaders.find((name) => hasHeader(request, name)) ?? signatureHeaders[0];

/** Resource types in the bodies of a topic's events. */
const kinds: Readonly<Record<string, string>> = {
  orders: "Order",
  draft_orders: "DraftOrder",
  products: "Product",
  customers: "Customer",
  fulfillments: "Fulfillment",
  refunds: "Refund",
  collections: "Collection",
  inventory_items: "InventoryItem",
};

/** Returns the topic, which is not signed, unless it contradicts the resource type in the signed body. */
const readTopic = (request: InboundRequest, payload: unknown): string | undefined => {
  const topic = headerNamed(request, "topic");
  const type = /^gid:\/\/shopify\/(\w+)\//.exec(
    getText(payload, "admin_graphql_api_id") ?? "",
  )?.[1];
  const [resource = ""] = topic?.split("/") ?? [];
  const kind = Object.hasOwn(kinds, resource) ? kinds[resource] : undefined;
  if (type === undefined) return topic;
  const isConsistent = kind === undefined ? !Object.values(kinds).includes(type) : kind === type;
  return isConsistent ? topic : undefined;
};

/** Includes the topic, because an event may be sent for several topics to one URL. */
const readDeliveryId = (request: InboundRequest): string | null => {
  const event = headerNamed(request, "event-id");
  const topic = headerNamed(request, "topic");
  if (event === undefined) return toDeliveryId(headerNamed(request, "webhook-id"));
  return toDeliveryId(topic === undefined ? event : `${topic}:${event}`);
};

/** Shopify: https://shopify.dev/docs/apps/build/webhooks. */
export const webhook: WebhookProvider = {
  id: "shopify",
  displayName: "Shopify",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned: (request) => signatureHeaders.some((name) => hasHeader(request, name)),
    verify: (request, secret) =>
      sameText(
        getSingleHeader(request, findSignatureHeader(request)),
        hmacBase64(secret, request.body),
      ),
  },
  // One order is the body of orders/create, orders/paid and orders/updated.
  signedIdentity: "body and event type",
  describe: (request, payload) => ({
    eventType: toEventType(readTopic(request, payload)),
    deliveryId: readDeliveryId(request),
  }),
  secretHeaders: signatureHeaders,
};
