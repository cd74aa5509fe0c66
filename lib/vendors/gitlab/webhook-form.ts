import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "GitLab",
  externalContextHint: "The path or the ID of the project.",
  filterHint: "Event names, separated by commas. Empty for all.",
};
