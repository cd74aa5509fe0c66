import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

/** Samples of Jira. */
export const sample: WebhookSample = {
  signature: { header: "x-hub-signature" },
  events: {
    "jira:issue_created": (now) =>
      jsonRequest(
        {
          timestamp: now,
          webhookEvent: "jira:issue_created",
          user: { accountId: "1", displayName: "Ada" },
          issue: { id: "10001", key: "APP-1", fields: { summary: "The door does not open" } },
        },
        { "x-atlassian-webhook-identifier": randomUUID() },
      ),
  },
  newKey: hexKey,
  sign: (request, key) =>
    withHeaders(request, { "x-hub-signature": `sha256=${hmacHex(key, request.body)}` }),
};
