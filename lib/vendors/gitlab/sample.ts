import { randomUUID } from "node:crypto";
import { hmacBase64 } from "../../platform/signatures/signatures.ts";
import {
  formatUnixSeconds,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Samples of GitLab, with a signing token or, for another secret, with a secret token. */
export const sample: WebhookSample = {
  signature: { header: "webhook-signature", windowSeconds: 300 },
  events: {
    push: () =>
      jsonRequest(
        {
          object_kind: "push",
          event_name: "push",
          ref: "refs/heads/main",
          user_username: "ada",
          project: { id: 1, path_with_namespace: "acme/app" },
          total_commits_count: 1,
        },
        { "x-gitlab-event": "Push Hook", "x-gitlab-event-uuid": randomUUID() },
      ),
    merge_request: () =>
      jsonRequest(
        {
          object_kind: "merge_request",
          event_type: "merge_request",
          user: { username: "ada" },
          object_attributes: { iid: 8, title: "Mend the door", action: "open", state: "opened" },
        },
        { "x-gitlab-event": "Merge Request Hook", "x-gitlab-event-uuid": randomUUID() },
      ),
  },
  newKey: (randomBytes) => `whsec_${Buffer.from(randomBytes(32)).toString("base64")}`,
  sign: (request, key, now) => {
    const id = randomUUID();
    const ids = {
      "webhook-id": id,
      "idempotency-key": id,
      "webhook-timestamp": formatUnixSeconds(now),
    };
    if (!key.startsWith("whsec_")) {
      return withHeaders(request, { "idempotency-key": id, "x-gitlab-token": key });
    }
    const bytes = Buffer.from(key.slice(6), "base64");
    const signature = hmacBase64(bytes, `${id}.${formatUnixSeconds(now)}.`, request.body);
    return withHeaders(request, { ...ids, "webhook-signature": `v1,${signature}` });
  },
};
