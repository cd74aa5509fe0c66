import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Jira",
  externalContextHint: "The site, such as https://acme.atlassian.net.",
  filterHint: "A JQL query; all issues, if empty.",
};
