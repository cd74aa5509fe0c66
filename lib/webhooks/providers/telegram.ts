import { hasHeader, headerOf } from "../../platform/signatures/inbound-header.ts";
import { sameText } from "../../platform/signatures/signatures.ts";
import { deliveryIdOf, eventTypeOf, textOf } from "./payload-members.ts";
import type { WebhookProvider } from "./provider.ts";

const tokenHeader = "x-telegram-bot-api-secret-token";

/** An update has one member besides its id, named for what it is. */
const kindOf = (payload: unknown): string | undefined =>
  typeof payload === "object" && payload !== null && textOf(payload, "update_id") !== undefined
    ? Object.keys(payload).find((name) => name !== "update_id")
    : undefined;

/** Telegram bots: https://core.telegram.org/bots/api#setwebhook. Its token signs nothing: it is repeated. */
export const telegram: WebhookProvider = {
  id: "telegram",
  displayName: "Telegram",
  authMode: "HMAC",
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => Buffer.from(randomBytes(32)).toString("base64url"),
    checkSecret: (secret) =>
      /^[A-Za-z0-9_-]{1,256}$/.test(secret)
        ? undefined
        : "it must be 1 to 256 of the characters A-Z, a-z, 0-9, _ and -",
    isSigned: (request) => hasHeader(request, tokenHeader),
    verify: (request, secret) => sameText(headerOf(request, tokenHeader), secret),
  },
  describe: (_request, payload) => ({
    eventType: eventTypeOf(kindOf(payload)),
    deliveryId: deliveryIdOf(textOf(payload, "update_id")),
  }),
  secretHeaders: [tokenHeader],
};
