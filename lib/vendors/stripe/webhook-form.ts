import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Stripe",
  issuesSecretAt: "Workbench, Webhooks (whsec_…)",
};
