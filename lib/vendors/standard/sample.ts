import { randomUUID } from "node:crypto";
import { signStandard } from "../../platform/signatures/standard.ts";
import {
  formatUnixSeconds,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Samples of Standard Webhooks. */
export const sample: WebhookSample = {
  signature: { header: "webhook-signature", windowSeconds: 300 },
  events: {
    "user.created": (now) =>
      jsonRequest({
        type: "user.created",
        timestamp: new Date(now).toISOString(),
        data: { id: "1", name: "Ada" },
      }),
  },
  newKey: (randomBytes) => `whsec_${Buffer.from(randomBytes(24)).toString("base64")}`,
  sign: (request, key, now) => {
    const id = `msg_${randomUUID()}`;
    const bytes = Buffer.from(key.replace(/^whsec_/, ""), "base64");
    const timestamp = formatUnixSeconds(now);
    return withHeaders(request, {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signStandard(bytes, { id, timestamp, body: request.body }),
    });
  },
};
