import { webhookProviderIds } from "../../../lib/vendors/registry/ids.ts";
import { webhookForms } from "../../../lib/vendors/registry/webhook-forms.ts";
import type { WebhookForm } from "../../../lib/vendors/webhook-form.ts";

/** The providers of webhooks, in the order in which they are offered. */
export const webhookProviders: readonly (WebhookForm & { id: string })[] = webhookProviderIds.map(
  (id) => ({ id, ...webhookForms[id] }),
);

/** Returns the name of a provider. */
export const providerLabel = (provider: string): string =>
  webhookProviders.find(({ id }) => id === provider)?.label ?? provider;
