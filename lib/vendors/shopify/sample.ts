import { randomUUID } from "node:crypto";
import { hmacBase64 } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Shopify. */
export const sample: WebhookSample = {
  signature: { header: "x-shopify-hmac-sha256" },
  events: {
    "orders/create": (now) =>
      jsonRequest(
        {
          id: 820_982_911,
          admin_graphql_api_id: "gid://shopify/Order/820982911",
          name: "#1001",
          total_price: "49.00",
          currency: "EUR",
          created_at: new Date(now).toISOString(),
        },
        {
          "x-shopify-topic": "orders/create",
          "x-shopify-shop-domain": "acme.myshopify.com",
          "x-shopify-event-id": randomUUID(),
          "x-shopify-webhook-id": randomUUID(),
        },
      ),
  },
  newKey: hexKey,
  sign: (request, key) =>
    withHeaders(request, { "x-shopify-hmac-sha256": hmacBase64(key, request.body) }),
};
