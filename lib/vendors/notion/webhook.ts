import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { providerSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "x-notion-signature";

const showBecause =
  "Notion sent its verification token. Update this webhook (PATCH with {}): the response returns the token once, as signingSecret. Paste it where Notion asks for it.";

const isSigned = (request: InboundRequest): boolean => hasHeader(request, signatureHeader);

/**
 * Notion: https://developers.notion.com/reference/webhooks. Its first request is unsigned and contains the token
 * that signs later ones; once a secret is set, another token is refused.
 */
export const webhook: WebhookProvider = {
  id: "notion",
  displayName: "Notion",
  authMode: "HMAC",
  signing: {
    ...providerSecret,
    isSigned,
    verify: (request, secret) =>
      sameText(
        getSingleHeader(request, signatureHeader),
        `sha256=${hmacHex(secret, request.body)}`,
      ),
  },
  handshake: (request, payload, secret) => {
    const token = getText(payload, "verification_token");
    if (request.method !== "POST" || isSigned(request) || token === undefined) return undefined;
    if (!/^[\x21-\x7e]{16,256}$/.test(token)) return undefined;
    if (secret !== null && !sameText(token, secret)) return undefined;
    return { response: { status: 200 }, learns: { secret: token, showBecause } };
  },
  describe: (_request, payload) => ({
    eventType: toEventType(getText(payload, "type")),
    deliveryId: toDeliveryId(getText(payload, "id")),
  }),
  acknowledge: () => ({ status: 200 }),
  secretHeaders: [signatureHeader],
};
