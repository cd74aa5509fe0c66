import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Notion. */
export const sample: WebhookSample = {
  signature: { header: "x-notion-signature" },
  events: {
    "page.content_updated": (now) =>
      jsonRequest({
        id: randomUUID(),
        type: "page.content_updated",
        timestamp: new Date(now).toISOString(),
        attempt_number: 1,
        entity: { id: "153104cd-477e-809d-8dc4-ff2d96ae3090", type: "page" },
      }),
  },
  newKey: (randomBytes) => `secret_${Buffer.from(randomBytes(24)).toString("hex")}`,
  sign: (request, key) =>
    withHeaders(request, { "x-notion-signature": `sha256=${hmacHex(key, request.body)}` }),
};
