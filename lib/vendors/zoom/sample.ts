import { hmacHex } from "../../platform/signatures/signatures.ts";
import {
  formatUnixSeconds,
  hexKey,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Samples of Zoom. */
export const sample: WebhookSample = {
  signature: { header: "x-zm-signature", windowSeconds: 300 },
  events: {
    "meeting.started": (now) =>
      jsonRequest({
        event: "meeting.started",
        event_ts: now,
        payload: { account_id: "1", object: { id: "2", topic: "Standup", host_id: "3" } },
      }),
    "endpoint.url_validation": (now) =>
      jsonRequest({
        event: "endpoint.url_validation",
        event_ts: now,
        payload: { plainToken: "qgg8vlvZRS6UYooatFL8Aw" },
      }),
  },
  newKey: hexKey,
  sign: (request, key, now) =>
    withHeaders(request, {
      "x-zm-request-timestamp": formatUnixSeconds(now),
      "x-zm-signature": `v0=${hmacHex(key, `v0:${formatUnixSeconds(now)}:`, request.body)}`,
    }),
};
