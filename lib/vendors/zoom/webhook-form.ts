import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Zoom",
  issuesSecretAt: "the app's Secret Token",
};
