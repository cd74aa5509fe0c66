import { randomUUID } from "node:crypto";
import { hmacBase64 } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Zendesk. */
export const sample: WebhookSample = {
  signature: { header: "x-zendesk-webhook-signature", windowSeconds: 300 },
  events: {
    "zen:event-type:ticket.created": (now) =>
      jsonRequest(
        {
          id: randomUUID(),
          type: "zen:event-type:ticket.created",
          subject: "zen:ticket:7",
          time: new Date(now).toISOString(),
          detail: { id: "7", subject: "The door does not open", status: "NEW" },
        },
        { "x-zendesk-webhook-invocation-id": randomUUID() },
      ),
  },
  newKey: hexKey,
  sign: (request, key, now) => {
    const timestamp = new Date(now).toISOString();
    return withHeaders(request, {
      "x-zendesk-webhook-signature": hmacBase64(key, timestamp, request.body),
      "x-zendesk-webhook-signature-timestamp": timestamp,
    });
  },
};
