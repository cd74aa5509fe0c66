import type { InboundRequest } from "../../platform/http/inbound.ts";
import { hasHeader, headerOf } from "../../platform/signatures/inbound-header.ts";
import { sameText } from "../../platform/signatures/signatures.ts";
import {
  isStandardSigned,
  readStandardKey,
  verifyStandard,
} from "../../platform/signatures/standard.ts";
import { deliveryIdOf, eventTypeOf, hashedId, textOf } from "./payload-members.ts";
import type { WebhookProvider } from "./provider.ts";
import { checkCopied } from "./secrets.ts";

const tokenHeader = "x-gitlab-token";

const signingKeyOf = (secret: string) =>
  secret.startsWith("whsec_") ? readStandardKey(secret) : undefined;

/** Before version 17.4, events that one event causes share its id, but have another body. */
const idOf = (request: InboundRequest): string | null => {
  const own = headerOf(request, "webhook-id") ?? headerOf(request, "idempotency-key");
  if (own !== undefined) return deliveryIdOf(own);
  const event = headerOf(request, "x-gitlab-event-uuid");
  return event === undefined ? null : hashedId(event, request.body);
};

/**
 * GitLab: a signing token in the Standard Webhooks format
 * (https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944), or the older secret token. The generated secret
 * works as either.
 */
export const gitlab: WebhookProvider = {
  id: "gitlab",
  displayName: "GitLab",
  authMode: "HMAC",
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => `whsec_${Buffer.from(randomBytes(32)).toString("base64")}`,
    checkSecret: checkCopied,
    isSigned: (request) => isStandardSigned(request, "webhook") || hasHeader(request, tokenHeader),
    verify: (request, secret, now) => {
      const key = signingKeyOf(secret);
      return key && isStandardSigned(request, "webhook")
        ? verifyStandard(request, "webhook", key, now)
        : sameText(headerOf(request, tokenHeader), secret);
    },
  },
  describe: (request, payload) => ({
    eventType: eventTypeOf(textOf(payload, "object_kind") ?? textOf(payload, "event_name")),
    deliveryId: idOf(request),
  }),
  secretHeaders: ["webhook-signature", tokenHeader],
};
