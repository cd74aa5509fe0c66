import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import {
  formatUnixSeconds,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Samples of Stripe. */
export const sample: WebhookSample = {
  signature: { header: "stripe-signature", windowSeconds: 300 },
  events: {
    "invoice.paid": (now) =>
      jsonRequest({
        id: `evt_${randomUUID()}`,
        object: "event",
        type: "invoice.paid",
        created: Math.floor(now / 1_000),
        livemode: false,
        data: { object: { id: "in_1", object: "invoice", amount_paid: 2_000, currency: "eur" } },
      }),
  },
  newKey: (randomBytes) => `whsec_${Buffer.from(randomBytes(16)).toString("hex")}`,
  sign: (request, key, now) => {
    const signature = hmacHex(key, `${formatUnixSeconds(now)}.`, request.body);
    return withHeaders(request, {
      "stripe-signature": `t=${formatUnixSeconds(now)},v1=${signature}`,
    });
  },
};
