import { hmacHex } from "../../../lib/platform/signatures/signatures.ts";
import {
  hexKey,
  jsonRequest,
  secondsOf,
  type WebhookSample,
  withHeaders,
} from "./webhook-sample.ts";

/** Samples of Zoom. */
export const zoomSample: WebhookSample = {
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
      "x-zm-request-timestamp": secondsOf(now),
      "x-zm-signature": `v0=${hmacHex(key, `v0:${secondsOf(now)}:`, request.body)}`,
    }),
};
