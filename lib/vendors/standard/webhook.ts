import { getSingleHeader } from "../../platform/signatures/inbound-header.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { detectPrefix, standardSigning } from "../shared/webhook/standard-signing.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

/** Standard Webhooks, used by Svix, Resend, Clerk, OpenAI, Replicate and others. */
export const webhook: WebhookProvider = {
  id: "standard",
  displayName: "Standard Webhooks",
  authMode: "HMAC",
  signing: standardSigning,
  describe: (request, payload) => ({
    eventType: toEventType(getText(payload, "type")),
    deliveryId: toDeliveryId(getSingleHeader(request, `${detectPrefix(request)}-id`)),
  }),
  secretHeaders: ["webhook-signature", "svix-signature"],
};
