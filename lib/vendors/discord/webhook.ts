import type { InboundRequest, InboundResponse } from "../../platform/http/inbound.ts";
import { isFresh, readUnixSeconds } from "../../platform/signatures/freshness.ts";
import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { isEd25519, readHex } from "../../platform/signatures/signatures.ts";
import { jsonResponse } from "../shared/webhook/echo.ts";
import {
  getMember,
  getText,
  hashedId,
  toDeliveryId,
  toEventType,
} from "../shared/webhook/payload-members.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "x-signature-ed25519";
const timestampHeader = "x-signature-timestamp";

const isSigned = (request: InboundRequest): boolean =>
  hasHeader(request, signatureHeader) || hasHeader(request, timestampHeader);

const isInteraction = (payload: unknown): boolean => getText(payload, "token") !== undefined;

const noContent: InboundResponse = { status: 204, contentType: "application/json" };
/** Response types: https://discord.com/developers/docs/interactions/receiving-and-responding. */
const pong = jsonResponse({ type: 1 });
const showThinking = jsonResponse({ type: 5 });
const updateLater = jsonResponse({ type: 6 });
const noChoices = jsonResponse({ type: 8, data: { choices: [] } });

/** Event types of interactions, and responses that show the user that a reply will follow. */
const interactions: Readonly<Record<string, { event: string; response: InboundResponse }>> = {
  1: { event: "PING", response: pong },
  2: { event: "APPLICATION_COMMAND", response: showThinking },
  3: { event: "MESSAGE_COMPONENT", response: updateLater },
  4: { event: "APPLICATION_COMMAND_AUTOCOMPLETE", response: noChoices },
  5: { event: "MODAL_SUBMIT", response: showThinking },
};

const findInteraction = (payload: unknown) => interactions[getText(payload, "type") ?? ""];

const pingResponse = (payload: unknown): InboundResponse | undefined => {
  if (getMember(payload, "event") !== undefined) return undefined;
  const type = getMember(payload, "type");
  if (type === 0) return noContent;
  return type === 1 ? pong : undefined;
};

/**
 * Discord: interactions and webhook events (https://discord.com/developers/docs/events/webhook-events). The
 * secret is the application's public key. Discord also sends invalid signatures, which must be refused.
 */
export const webhook: WebhookProvider = {
  id: "discord",
  displayName: "Discord",
  authMode: "HMAC",
  signing: {
    issuedBy: "provider",
    checkSecret: (secret) =>
      readHex(secret)?.byteLength === 32
        ? undefined
        : "must be the application's public key of 64 hexadecimal digits",
    isSigned,
    verify: (request, secret, now) => {
      const timestamp = getSingleHeader(request, timestampHeader);
      const signature = getSingleHeader(request, signatureHeader);
      if (timestamp === undefined || !isFresh(readUnixSeconds(timestamp), now)) return false;
      return isEd25519(readHex(secret), readHex(signature ?? ""), timestamp, request.body);
    },
  },
  handshake: (request, payload, secret) => {
    if (request.method !== "POST" || (secret !== null && !isSigned(request))) return undefined;
    const response = pingResponse(payload);
    return response && { response };
  },
  describe: ({ body }, payload) =>
    isInteraction(payload)
      ? {
          eventType: findInteraction(payload)?.event ?? null,
          deliveryId: toDeliveryId(getText(payload, "id")),
        }
      : {
          eventType: toEventType(getText(payload, "event", "type")),
          deliveryId: getText(payload, "event", "timestamp") === undefined ? null : hashedId(body),
        },
  acknowledge: (_request, payload) =>
    (isInteraction(payload) ? findInteraction(payload)?.response : undefined) ?? noContent,
  secretHeaders: [signatureHeader, timestampHeader],
};
