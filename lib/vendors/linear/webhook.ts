import type { InboundRequest } from "../../platform/http/inbound.ts";
import { isFresh } from "../../platform/signatures/freshness.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { parsePayload } from "../shared/webhook/parse-payload.ts";
import {
  getMember,
  getText,
  toDeliveryId,
  toEventType,
} from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "linear-signature";
/** As in Linear's own SDK. */
const toleranceSeconds = 60;

/** Returns the time of sending: the body's, which is signed, or else the header's. */
const sentAt = (request: InboundRequest): number | undefined => {
  const signed = getMember(parsePayload("application/json", request.body), "webhookTimestamp");
  if (typeof signed === "number") return signed;
  const unsigned = getSingleHeader(request, "linear-timestamp");
  return unsigned === undefined ? undefined : Number(unsigned);
};

/** Linear: https://linear.app/developers/webhooks. Requires status 200. */
export const webhook: WebhookProvider = {
  id: "linear",
  displayName: "Linear",
  authMode: "HMAC",
  registration: { needsContext: false },
  signing: {
    ...copiedSecret,
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret, now) => {
      const expected = hmacHex(secret, request.body);
      if (!sameText(getSingleHeader(request, signatureHeader), expected)) return false;
      const moment = sentAt(request);
      return moment === undefined || isFresh(moment, now, toleranceSeconds);
    },
  },
  signedIdentity: "body",
  describe: (request, payload) => ({
    eventType: toEventType(getText(payload, "type")),
    deliveryId: toDeliveryId(getSingleHeader(request, "linear-delivery")),
  }),
  acknowledge: () => ({ status: 200 }),
  secretHeaders: [signatureHeader],
};
