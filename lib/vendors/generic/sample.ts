import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of any sender. */
export const sample: WebhookSample = {
  signature: { header: "x-signature-256" },
  events: {
    hello: () => jsonRequest({ type: "hello", name: "world" }, { "x-delivery-id": randomUUID() }),
  },
  newKey: hexKey,
  sign: (request, key) =>
    withHeaders(request, { "x-signature-256": `sha256=${hmacHex(key, request.body)}` }),
};
