import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { sameText } from "../../platform/signatures/signatures.ts";
import {
  isStandardSigned,
  readStandardKey,
  verifyStandard,
} from "../../platform/signatures/standard.ts";
import { getText, hashedId, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { checkCopied } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const tokenHeader = "x-gitlab-token";

const readSigningKey = (secret: string) =>
  secret.startsWith("whsec_") ? readStandardKey(secret) : undefined;

/** Before version 17.4, events that one event causes share its id, but have another body. */
const readDeliveryId = (request: InboundRequest): string | null => {
  const own = getSingleHeader(request, "webhook-id") ?? getSingleHeader(request, "idempotency-key");
  if (own !== undefined) return toDeliveryId(own);
  const event = getSingleHeader(request, "x-gitlab-event-uuid");
  return event === undefined ? null : hashedId(event, request.body);
};

/**
 * GitLab: a signing token in the Standard Webhooks format
 * (https://gitlab.com/gitlab-org/gitlab/-/merge_requests/230944), or the older secret token. The generated secret
 * works as either.
 */
export const webhook: WebhookProvider = {
  id: "gitlab",
  displayName: "GitLab",
  authMode: "HMAC",
  registration: { needsContext: true },
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => `whsec_${Buffer.from(randomBytes(32)).toString("base64")}`,
    checkSecret: checkCopied,
    isSigned: (request) => isStandardSigned(request, "webhook") || hasHeader(request, tokenHeader),
    verify: (request, secret, now) => {
      const key = readSigningKey(secret);
      return key && isStandardSigned(request, "webhook")
        ? verifyStandard(request, "webhook", key, now)
        : sameText(getSingleHeader(request, tokenHeader), secret);
    },
  },
  describe: (request, payload) => ({
    eventType: toEventType(getText(payload, "object_kind") ?? getText(payload, "event_name")),
    deliveryId: readDeliveryId(request),
  }),
  secretHeaders: ["webhook-signature", tokenHeader],
};
