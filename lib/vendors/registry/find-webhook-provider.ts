import type { WebhookProvider } from "../webhook-provider.ts";
import { webhookProviders } from "./webhook-providers.ts";

const byId: ReadonlyMap<string, WebhookProvider> = new Map(Object.entries(webhookProviders));

/** Returns a webhook provider by id. */
export const findWebhookProvider = (id: string): WebhookProvider | undefined => byId.get(id);
