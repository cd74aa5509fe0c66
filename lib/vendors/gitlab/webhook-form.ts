import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "GitLab",
  externalContextHint: "The project's path or ID.",
  filterHint: "Names of events, separated by commas; all, if empty.",
};
