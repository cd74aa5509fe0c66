import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Slack",
  issuesSecretAt: "Basic Information, Signing Secret",
};
