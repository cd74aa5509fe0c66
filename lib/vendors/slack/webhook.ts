import type { InboundRequest } from "../../platform/http/inbound.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { echoToken, jsonResponse } from "../shared/webhook/echo.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import { verifyV0 } from "../shared/webhook/v0-signature.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const headers = {
  signature: "x-slack-signature",
  timestamp: "x-slack-request-timestamp",
} as const;

const isSigned = (request: InboundRequest): boolean => hasHeader(request, headers.signature);

const readEventName = (payload: unknown): string | undefined => {
  const type = getText(payload, "type");
  return type === "event_callback"
    ? getText(payload, "event", "type")
    : (type ?? getText(payload, "command"));
};

/**
 * Slack: events, slash commands and interactivity
 * (https://api.slack.com/authentication/verifying-requests-from-slack).
 */
export const webhook: WebhookProvider = {
  id: "slack",
  displayName: "Slack",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned,
    verify: (request, secret, now) => verifyV0(request, headers, secret, now),
  },
  handshake: (request, payload, secret) => {
    if (request.method !== "POST" || (secret !== null && !isSigned(request))) return undefined;
    const challenge = getText(payload, "challenge");
    const isCheck = getText(payload, "type") === "url_verification";
    return isCheck && challenge !== undefined ? { response: echoToken(challenge) } : undefined;
  },
  describe: (_request, payload) => ({
    eventType: toEventType(readEventName(payload)),
    deliveryId: toDeliveryId(getText(payload, "event_id") ?? getText(payload, "trigger_id")),
  }),
  // Commands and interactivity are sent as forms and require an empty 200.
  acknowledge: (request, payload) => {
    if (getText(payload, "type") === "block_suggestion") return jsonResponse({ options: [] });
    const isForm = getSingleHeader(request, "content-type")?.includes("x-www-form-urlencoded");
    return { status: isForm ? 200 : 204 };
  },
  secretHeaders: [headers.signature, headers.timestamp],
};
