import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Linear",
  issuesSecretAt: "the webhook's Signing secret",
  externalContextHint: "The ID of a team. Empty for all public teams.",
  filterHint: "Resource types, separated by commas.",
};
