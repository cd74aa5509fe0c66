import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Notion",
  issuesSecretAt: "the first request that Notion sends",
};
