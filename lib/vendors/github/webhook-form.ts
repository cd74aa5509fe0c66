import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "GitHub",
  externalContextHint: "The repository, as owner/repo.",
  filterHint: "Names of events, separated by commas; all, if empty.",
};
