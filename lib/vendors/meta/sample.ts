import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Meta. */
export const sample: WebhookSample = {
  signature: { header: "x-hub-signature-256" },
  events: {
    "whatsapp_business_account.messages": () =>
      jsonRequest({
        object: "whatsapp_business_account",
        entry: [
          {
            id: "1",
            changes: [
              {
                field: "messages",
                value: {
                  messaging_product: "whatsapp",
                  messages: [{ id: `wamid.${randomUUID()}`, from: "4912345", type: "text" }],
                },
              },
            ],
          },
        ],
      }),
  },
  newKey: hexKey,
  sign: (request, key) => {
    const [appSecret = ""] = key.split(":");
    const signature = hmacHex(appSecret, request.body);
    return withHeaders(request, { "x-hub-signature-256": `sha256=${signature}` });
  },
};
