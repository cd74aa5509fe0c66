import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { sameText } from "../../platform/signatures/signatures.ts";
import { getText, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const tokenHeader = "x-telegram-bot-api-secret-token";

/** Returns the type of an update: the name of its only member other than the id. */
const findUpdateType = (payload: unknown): string | undefined =>
  typeof payload === "object" && payload !== null && getText(payload, "update_id") !== undefined
    ? Object.keys(payload).find((name) => name !== "update_id")
    : undefined;

/** Telegram bots: https://core.telegram.org/bots/api#setwebhook. Sends the secret itself instead of a signature. */
export const webhook: WebhookProvider = {
  id: "telegram",
  displayName: "Telegram",
  authMode: "HMAC",
  registration: { needsContext: false },
  signing: {
    issuedBy: "wharf",
    generate: (randomBytes) => Buffer.from(randomBytes(32)).toString("base64url"),
    checkSecret: (secret) =>
      /^[A-Za-z0-9_-]{1,256}$/.test(secret)
        ? undefined
        : "must have 1 to 256 characters of A-Z, a-z, 0-9, _ and -",
    isSigned: (request) => hasHeader(request, tokenHeader),
    verify: (request, secret) => sameText(getSingleHeader(request, tokenHeader), secret),
  },
  describe: (_request, payload) => ({
    eventType: toEventType(findUpdateType(payload)),
    deliveryId: toDeliveryId(getText(payload, "update_id")),
  }),
  secretHeaders: [tokenHeader],
};
