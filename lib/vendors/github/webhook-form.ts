import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "GitHub",
  externalContextHint: "The repository, as owner/repo.",
  filterHint: "Event names, separated by commas. Empty for all.",
};
