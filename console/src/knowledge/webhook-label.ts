import type { Webhook } from "../../../client/openapi.ts";
import { providerLabel } from "../webhooks/providers.ts";

/** Names a webhook by its provider and what the provider sends events of. */
export const webhookLabel = ({ provider, externalContext, id }: Webhook): string =>
  `${providerLabel(provider)}, ${externalContext ?? id}`;
