import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import {
  formatUnixSeconds,
  formRequest,
  hexKey,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Samples of Slack. */
export const sample: WebhookSample = {
  signature: { header: "x-slack-signature", windowSeconds: 300 },
  events: {
    app_mention: (now) =>
      jsonRequest({
        type: "event_callback",
        team_id: "T1",
        event_id: `Ev${randomUUID()}`,
        event_time: Math.floor(now / 1_000),
        event: { type: "app_mention", user: "U1", channel: "C1", text: "<@U2> hello" },
      }),
    "/hello": () =>
      formRequest({
        command: "/hello",
        text: "world",
        user_id: "U1",
        channel_id: "C1",
        trigger_id: `1.2.${randomUUID()}`,
      }),
    block_actions: () =>
      formRequest({
        payload: JSON.stringify({
          type: "block_actions",
          trigger_id: `1.2.${randomUUID()}`,
          user: { id: "U1" },
          actions: [{ action_id: "approve", value: "7" }],
        }),
      }),
    url_verification: () =>
      jsonRequest({ type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmd" }),
  },
  newKey: hexKey,
  sign: (request, key, now) =>
    withHeaders(request, {
      "x-slack-request-timestamp": formatUnixSeconds(now),
      "x-slack-signature": `v0=${hmacHex(key, `v0:${formatUnixSeconds(now)}:`, request.body)}`,
    }),
};
