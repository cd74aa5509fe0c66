import { randomInt } from "node:crypto";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Telegram. */
export const sample: WebhookSample = {
  signature: { header: "x-telegram-bot-api-secret-token", coversBody: false },
  events: {
    message: (now) =>
      jsonRequest({
        update_id: randomInt(1_000_000_000),
        message: {
          message_id: 1,
          date: Math.floor(now / 1_000),
          chat: { id: 7, type: "private" },
          text: "hello",
        },
      }),
  },
  newKey: hexKey,
  sign: (request, key) => withHeaders(request, { "x-telegram-bot-api-secret-token": key }),
};
