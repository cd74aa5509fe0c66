import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Linear. */
export const sample: WebhookSample = {
  signature: { header: "linear-signature", windowSeconds: 60 },
  events: {
    Issue: (now) =>
      jsonRequest(
        {
          action: "create",
          type: "Issue",
          createdAt: new Date(now).toISOString(),
          data: { id: randomUUID(), identifier: "APP-1", title: "The door does not open" },
          webhookTimestamp: now,
        },
        { "linear-event": "Issue", "linear-delivery": randomUUID() },
      ),
  },
  newKey: (randomBytes) => `lin_wh_${hexKey(randomBytes)}`,
  sign: (request, key) => withHeaders(request, { "linear-signature": hmacHex(key, request.body) }),
};
