import { isFresh, readUnixSeconds } from "../../platform/signatures/freshness.ts";
import { hasHeader, headerOf } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { jsonAnswer } from "./echo.ts";
import { eventTypeOf, hashedId, memberOf, textOf } from "./payload-members.ts";
import type { WebhookProvider } from "./provider.ts";
import { copiedSecret } from "./secrets.ts";

const signatureHeader = "x-zm-signature";
const timestampHeader = "x-zm-request-timestamp";

/**
 * Signing any text for anybody would let them sign deliveries too: these begin with `v0:`, and a token has
 * no colon.
 */
const isToken = (text: string): boolean => /^[A-Za-z0-9+/=_-]{1,256}$/.test(text);

/** Zoom: https://developers.zoom.us/docs/api/webhooks. */
export const zoom: WebhookProvider = {
  id: "zoom",
  displayName: "Zoom",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret, now) => {
      const timestamp = headerOf(request, timestampHeader);
      if (timestamp === undefined || !isFresh(readUnixSeconds(timestamp), now)) return false;
      const expected = hmacHex(secret, `v0:${timestamp}:`, request.body);
      return sameText(headerOf(request, signatureHeader), `v0=${expected}`);
    },
  },
  handshake: ({ method }, payload, secret) => {
    if (method !== "POST" || textOf(payload, "event") !== "endpoint.url_validation") {
      return undefined;
    }
    const plainToken = memberOf(payload, "payload", "plainToken");
    if (secret === null || typeof plainToken !== "string" || !isToken(plainToken)) {
      return { answer: { status: 403 } };
    }
    return { answer: jsonAnswer({ plainToken, encryptedToken: hmacHex(secret, plainToken) }) };
  },
  describe: (_request, payload) => {
    const event = textOf(payload, "event");
    const moment = textOf(payload, "event_ts");
    const content = JSON.stringify(memberOf(payload, "payload") ?? null);
    return {
      eventType: eventTypeOf(event),
      deliveryId:
        event === undefined || moment === undefined ? null : hashedId(event, moment, content),
    };
  },
  secretHeaders: [signatureHeader, timestampHeader],
};
