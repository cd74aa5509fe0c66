import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { hexSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

/** The first one present is verified. */
const signatureHeaders = ["x-signature-256", "x-hub-signature-256"] as const;

const findSignatureHeader = (request: InboundRequest): string =>
  signatureHeaders.find((name) => hasHeader(request, name)) ?? signatureHeaders[0];

/** Any sender that can POST: authenticated by the key in the path, and by a signature if it signs. */
export const webhook: WebhookProvider = {
  id: "generic",
  displayName: "Any sender",
  authMode: "API_KEY",
  signing: {
    ...hexSecret,
    isSigned: (request) => signatureHeaders.some((name) => hasHeader(request, name)),
    verify: (request, secret) =>
      sameText(
        getSingleHeader(request, findSignatureHeader(request)),
        `sha256=${hmacHex(secret, request.body)}`,
      ),
  },
  describe: (request, payload) => ({
    eventType: toEventType(
      getText(payload, "type") ??
        getText(payload, "event") ??
        getSingleHeader(request, "x-event-type"),
    ),
    deliveryId: toDeliveryId(
      getSingleHeader(request, "idempotency-key") ?? getSingleHeader(request, "x-delivery-id"),
    ),
  }),
  secretHeaders: signatureHeaders,
};
