import { getSingleHeader, hasHeader } from "../../platform/signatures/inbound-header.ts";
import { hmacHex, sameText } from "../../platform/signatures/signatures.ts";
import { hasMembers, toDeliveryId, toEventType } from "../shared/webhook/payload-members.ts";
import { hexSecret } from "../shared/webhook/secrets.ts";
import type { WebhookProvider } from "../webhook-provider.ts";

const signatureHeader = "x-hub-signature-256";

/**
 * Members that identify common events by their body, most specific first. The event header is not signed, so it
 * must match an event that the body identifies.
 */
const distinctiveMembers: readonly (readonly [event: string, members: readonly string[]])[] = [
  ["pull_request_review_comment", ["pull_request", "comment"]],
  ["pull_request_review", ["pull_request", "review"]],
  ["pull_request_review_thread", ["pull_request", "thread"]],
  ["issue_comment", ["issue", "comment"]],
  ["discussion_comment", ["discussion", "comment"]],
  ["deployment_protection_rule", ["deployment", "deployment_callback_url"]],
  ["deployment_status", ["deployment", "deployment_status"]],
  ["workflow_job", ["workflow_job"]],
  ["deployment", ["deployment"]],
  ["deployment_review", ["workflow_run", "since"]],
  ["workflow_run", ["workflow_run"]],
  ["check_run", ["check_run"]],
  ["check_suite", ["check_suite"]],
  ["pull_request", ["pull_request", "number"]],
  ["issues", ["issue"]],
  ["discussion", ["discussion"]],
  ["release", ["release"]],
  ["push", ["ref", "before", "after", "commits", "pusher"]],
  ["create", ["ref", "ref_type", "master_branch"]],
  ["delete", ["ref", "ref_type"]],
  ["ping", ["zen", "hook_id"]],
];

const checkEventName = (header: string | undefined, payload: unknown): string | undefined => {
  const event = distinctiveMembers.find(([, members]) => hasMembers(payload, members))?.[0];
  return event === undefined || event === header ? header : undefined;
};

/** GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries. */
export const webhook: WebhookProvider = {
  id: "github",
  displayName: "GitHub",
  authMode: "HMAC",
  registration: { needsContext: true },
  signing: {
    ...hexSecret,
    isSigned: (request) => hasHeader(request, signatureHeader),
    verify: (request, secret) =>
      sameText(
        getSingleHeader(request, signatureHeader),
        `sha256=${hmacHex(secret, request.body)}`,
      ),
  },
  signedIdentity: "body",
  describe: (request, payload) => ({
    eventType: toEventType(checkEventName(getSingleHeader(request, "x-github-event"), payload)),
    deliveryId: toDeliveryId(getSingleHeader(request, "x-github-delivery")),
  }),
  secretHeaders: [signatureHeader, "x-hub-signature"],
};
