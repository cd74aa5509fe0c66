import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Meta",
  issuesSecretAt: "App secret, a colon, and a verify token",
};
