import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Jira",
  externalContextHint: "The site, such as https://acme.atlassian.net.",
  filterHint: "A JQL query. Empty for all issues.",
};
