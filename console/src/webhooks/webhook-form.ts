import type { CreateWebhookBody, UpdateWebhookBody, Webhook } from "../../../client/openapi.ts";

/** Values of the fields of a webhook. */
export type WebhookForm = {
  provider: string;
  isActive: boolean;
  signingSecret: string;
  externalContext: string;
  filter: string;
};

/** Pointers that the fields show. */
export const webhookPointers = [
  "/provider",
  "/status",
  "/signingSecret",
  "/externalContext",
  "/filter",
] as const;

/** Converts a webhook, or a new one, to the values of its form. */
export const toWebhookForm = (webhook: Webhook | undefined): WebhookForm => ({
  provider: webhook?.provider ?? "github",
  isActive: webhook?.status !== "DISABLED",
  signingSecret: "",
  externalContext: webhook?.externalContext ?? "",
  filter: webhook?.filter ?? "",
});

/** Converts the values of the form to the body that creates a webhook. */
export const toCreateBody = (form: WebhookForm): CreateWebhookBody => ({
  provider: form.provider,
  signingSecret: form.signingSecret || null,
  externalContext: form.externalContext || null,
  filter: form.filter || null,
});

/** Returns the body of a change, which has only what differs: some changes need rights of their own. */
export const toUpdateBody = (webhook: Webhook, form: WebhookForm): UpdateWebhookBody => {
  const before = toWebhookForm(webhook);
  const { signingSecret, externalContext, filter, isActive } = form;
  return {
    ...(signingSecret !== "" && { signingSecret }),
    ...(externalContext !== before.externalContext && { externalContext: externalContext || null }),
    ...(filter !== before.filter && { filter: filter || null }),
    ...(isActive !== before.isActive && {
      status: isActive ? ("ACTIVE" as const) : ("DISABLED" as const),
    }),
  };
};
