import type { InboundRequest } from "../../platform/http/inbound.ts";
import { isFresh, readUnixSeconds } from "../../platform/signatures/freshness.ts";
import { hasHeader, headerOf } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { echo, jsonAnswer } from "./echo.ts";
import { deliveryIdOf, eventTypeOf, textOf } from "./payload-members.ts";
import type { WebhookProvider } from "./provider.ts";
import { copiedSecret } from "./secrets.ts";

const signatureHeader = "x-slack-signature";
const timestampHeader = "x-slack-request-timestamp";

const isSigned = (request: InboundRequest): boolean => hasHeader(request, signatureHeader);

const eventOf = (payload: unknown): string | undefined => {
  const type = textOf(payload, "type");
  return type === "event_callback"
    ? textOf(payload, "event", "type")
    : (type ?? textOf(payload, "command"));
};

/**
 * Slack: events, slash commands and interactivity
 * (https://api.slack.com/authentication/verifying-requests-from-slack).
 */
export const slack: WebhookProvider = {
  id: "slack",
  displayName: "Slack",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned,
    verify: (request, secret, now) => {
      const timestamp = headerOf(request, timestampHeader);
      if (timestamp === undefined || !isFresh(readUnixSeconds(timestamp), now)) return false;
      const expected = hmacHex(secret, `v0:${timestamp}:`, request.body);
      return sameText(headerOf(request, signatureHeader), `v0=${expected}`);
    },
  },
  handshake: (request, payload, secret) => {
    if (request.method !== "POST" || (secret !== null && !isSigned(request))) return undefined;
    const challenge = textOf(payload, "challenge");
    const isCheck = textOf(payload, "type") === "url_verification";
    return isCheck && challenge !== undefined ? { answer: echo(challenge) } : undefined;
  },
  describe: (_request, payload) => ({
    eventType: eventTypeOf(eventOf(payload)),
    deliveryId: deliveryIdOf(textOf(payload, "event_id") ?? textOf(payload, "trigger_id")),
  }),
  // Commands and interactivity come as forms, and stay open until they hear 200 with nothing to show.
  acknowledge: (request, payload) => {
    if (textOf(payload, "type") === "block_suggestion") return jsonAnswer({ options: [] });
    const isForm = headerOf(request, "content-type")?.includes("x-www-form-urlencoded");
    return { status: isForm ? 200 : 204 };
  },
  secretHeaders: [signatureHeader, timestampHeader],
};
