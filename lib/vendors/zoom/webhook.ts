import { hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { jsonResponse } from "../shared/webhook/echo.ts";
import { getMember, getText, hashedId, toEventType } from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import { verifyV0 } from "../shared/webhook/v0-signature.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const headers = { signature: "x-zm-signature", timestamp: "x-zm-request-timestamp" } as const;

/**
 * Validates a token before it is signed for an unauthenticated caller. A token has no colon, so it can't be the
 * content of a delivery's signature, which starts with `v0:`.
 */
const isToken = (text: string): boolean => /^[A-Za-z0-9+/=_-]{1,256}$/.test(text);

/** Zoom: https://developers.zoom.us/docs/api/webhooks. */
export const webhook: WebhookProvider = {
  id: "zoom",
  displayName: "Zoom",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    isSigned: (request) => hasHeader(request, headers.signature),
    verify: (request, secret, now) => verifyV0(request, headers, secret, now),
  },
  handshake: ({ method }, payload, secret) => {
    if (method !== "POST" || getText(payload, "event") !== "endpoint.url_validation") {
      return undefined;
    }
    const plainToken = getMember(payload, "payload", "plainToken");
    if (secret === null || typeof plainToken !== "string" || !isToken(plainToken)) {
      const what = secret === null ? "the webhook's signingSecret" : "a valid payload.plainToken";
      return { refused: `The verification needs ${what}.` };
    }
    return { response: jsonResponse({ plainToken, encryptedToken: hmacHex(secret, plainToken) }) };
  },
  describe: (_request, payload) => {
    const event = getText(payload, "event");
    const moment = getText(payload, "event_ts");
    const content = JSON.stringify(getMember(payload, "payload") ?? null);
    return {
      eventType: toEventType(event),
      deliveryId:
        event === undefined || moment === undefined ? null : hashedId(event, moment, content),
    };
  },
  secretHeaders: [headers.signature, headers.timestamp],
};
