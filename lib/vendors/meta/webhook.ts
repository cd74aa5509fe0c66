import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { echoToken } from "../shared/webhook/echo.ts";
import {
  getList,
  getMember,
  getText,
  hashedId,
  toEventType,
} from "../shared/webhook/payload-members.ts";
import { copiedSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const refusal =
  "The verification needs hub.mode=subscribe, a hub.challenge, and the verify token as hub.verify_token.";
const signatureHeader = "x-hub-signature-256";

/**
 * Splits the secret, which is `<app secret>:<verify token>`; without a colon, both are the same.
 */
const splitSecret = (secret: string): { appSecret: string; verifyToken: string } => {
  const colon = secret.indexOf(":");
  return colon === -1
    ? { appSecret: secret, verifyToken: secret }
    : { appSecret: secret.slice(0, colon), verifyToken: secret.slice(colon + 1) };
};

const listFields = (entry: unknown): readonly (string | undefined)[] => {
  const fields = getList(entry, "changes").map((change) => getText(change, "field"));
  const streams = ["messaging", "standby"].filter((name) => getMember(entry, name) !== undefined);
  return [...fields, ...streams];
};

/** `object.field`, or the object alone when a batch holds several fields. */
const readEventName = (payload: unknown): string | undefined => {
  const object = getText(payload, "object");
  const [field, ...others] = new Set(getList(payload, "entry").flatMap(listFields));
  if (object === undefined || field === undefined || others.length > 0) return object;
  return `${object}.${field}`;
};

/** Meta: WhatsApp, Messenger, Instagram (https://developers.facebook.com/docs/graph-api/webhooks). */
export const webhook: WebhookProvider = {
  id: "meta",
  displayName: "Meta and WhatsApp",
  authMode: "HMAC",
  signing: {
    ...copiedSecret,
    checkSecret: (secret) =>
      /^:|:$/.test(secret)
        ? "must be the app secret, optionally followed by a colon and the verify token"
        : copiedSecret.checkSecret(secret),
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret) => {
      const expected = hmacHex(splitSecret(secret).appSecret, request.body);
      return sameText(getSingleHeader(request, signatureHeader), `sha256=${expected}`);
    },
  },
  handshake: ({ method, query }, _payload, secret) => {
    if (method !== "GET") return undefined;
    const challenge = query["hub.challenge"];
    const isRight =
      secret !== null && sameText(query["hub.verify_token"], splitSecret(secret).verifyToken);
    return query["hub.mode"] === "subscribe" && isRight && challenge
      ? { response: echoToken(challenge) }
      : { refused: refusal };
  },
  // A batch has no id, but a redelivery repeats its bytes, which contain message ids or times.
  describe: ({ body }, payload) => ({
    eventType: toEventType(readEventName(payload)),
    deliveryId: getText(payload, "object") === undefined ? null : hashedId(body),
  }),
  acknowledge: () => ({ status: 200 }),
  secretHeaders: [signatureHeader, "x-hub-signature"],
};
