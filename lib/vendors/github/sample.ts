import { randomUUID } from "node:crypto";
import { hmacHex } from "../../platform/signatures/signatures.ts";
import { hexKey, jsonRequest, type WebhookSample, withHeaders } from "../webhook-sample.ts";

const page = "https://github.com/acme/app";

/** No two samples have the same body, which would be a duplicate. */
const repositoryAt = (now: number) => ({
  id: 1,
  name: "app",
  full_name: "acme/app",
  private: true,
  html_url: page,
  updated_at: new Date(now).toISOString(),
});
const sender = { id: 2, login: "ada", type: "User" };

const event = (name: string, body: Readonly<Record<string, unknown>>) => (now: number) =>
  jsonRequest(
    { ...body, repository: repositoryAt(now), sender },
    {
      "x-github-event": name,
      "x-github-delivery": randomUUID(),
      "user-agent": "GitHub-Hookshot/0",
    },
  );

/** Samples of GitHub. */
export const sample: WebhookSample = {
  signature: { header: "x-hub-signature-256" },
  events: {
    push: event("push", {
      ref: "refs/heads/main",
      before: "6113728f27ae82c7b1a177c8d03f9e96e0adf246",
      after: "59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5",
      compare: `${page}/compare/6113728f27ae...59b20b8d5c6f`,
      commits: [{ id: "59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5", message: "Say hello" }],
      pusher: { name: "ada", email: "ada@example.com" },
    }),
    issues: event("issues", {
      action: "opened",
      issue: {
        number: 7,
        title: "The door does not open",
        body: "It is stuck since this morning.",
        state: "open",
        labels: [],
        html_url: `${page}/issues/7`,
        user: sender,
      },
    }),
    pull_request: event("pull_request", {
      action: "opened",
      number: 8,
      pull_request: {
        number: 8,
        title: "Mend the door",
        state: "open",
        html_url: `${page}/pull/8`,
        user: sender,
      },
    }),
    ping: event("ping", { zen: "Keep it logically awesome.", hook_id: 3, hook: { id: 3 } }),
  },
  newKey: hexKey,
  sign: (request, key) =>
    withHeaders(request, { "x-hub-signature-256": `sha256=${hmacHex(key, request.body)}` }),
};
