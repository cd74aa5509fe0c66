import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader } from "../../platform/signatures/inbound-header.ts";
import {
  isStandardSigned,
  readStandardKey,
  verifyStandard,
} from "../../platform/signatures/standard.ts";
import { getText, toDeliveryId, toEventType } from "./payload-members.ts";
import type { WebhookProvider } from "./provider.ts";

const detectPrefix = (request: InboundRequest) =>
  isStandardSigned(request, "webhook") ? "webhook" : "svix";

/** Standard Webhooks, used by Svix, Resend, Clerk, OpenAI, Replicate and others. */
export const standard: WebhookProvider = {
  id: "standard",
  displayName: "Standard Webhooks",
  authMode: "HMAC",
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => `whsec_${Buffer.from(randomBytes(24)).toString("base64")}`,
    checkSecret: (secret) =>
      readStandardKey(secret)
        ? undefined
        : "must be whsec_ and the base64 of 24 to 64 bytes, or whpk_ and the base64 of a public key",
    isSigned: (request) => isStandardSigned(request, detectPrefix(request)),
    verify: (request, secret, now) => {
      const key = readStandardKey(secret);
      return key !== undefined && verifyStandard(request, detectPrefix(request), key, now);
    },
  },
  describe: (request, payload) => ({
    eventType: toEventType(getText(payload, "type")),
    deliveryId: toDeliveryId(getSingleHeader(request, `${detectPrefix(request)}-id`)),
  }),
  secretHeaders: ["webhook-signature", "svix-signature"],
};
