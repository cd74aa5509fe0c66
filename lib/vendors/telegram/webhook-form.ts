import type { WebhookForm } from "../webhook-form.ts";

/** Form of a webhook. */
export const webhookForm: WebhookForm = {
  label: "Telegram",
  filterHint: "Update types, separated by commas.",
};
