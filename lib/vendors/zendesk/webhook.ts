import { isFresh, readIsoMoment } from "../../platform/signatures/freshness.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacBase64, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "x-zendesk-webhook-signature";
const timestampHeader = "x-zendesk-webhook-signature-timestamp";

/**
 * Zendesk: https://developer.zendesk.com/documentation/webhooks/verifying. The secret is used as text, although it
 * looks like base64.
 */
export const webhook: WebhookProvider = {
  id: "zendesk",
  displayName: "Zendesk",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret, now) => {
      const timestamp = getSingleHeader(request, timestampHeader);
      if (timestamp === undefined || !isFresh(readIsoMoment(timestamp), now)) return false;
      const expected = hmacBase64(secret, timestamp, request.body);
      return sameText(getSingleHeader(request, signatureHeader), expected);
    },
  },
  describe: (request, payload) => {
    const type = getText(payload, "type");
    const ownId = type?.startsWith("zen:event-type:") ? getText(payload, "id") : undefined;
    return {
      eventType: toEventType(type),
      deliveryId: toDeliveryId(
        ownId ?? getSingleHeader(request, "x-zendesk-webhook-invocation-id"),
      ),
    };
  },
  secretHeaders: [signatureHeader, timestampHeader],
};
