import type { Connector } from "../../../client/openapi.ts";
import type { ChatForm } from "../../../lib/vendors/chat-form.ts";
import { chatForms } from "../../../lib/vendors/registry/chat-forms.ts";
import { chatProviderIds } from "../../../lib/vendors/registry/ids.ts";

/** The providers of chats with the parameters of their connectors, in the order in which they are offered. */
export const chatProviders: readonly (ChatForm & { id: Connector["provider"] })[] =
  chatProviderIds.map((id) => ({ id, ...chatForms[id] }));

/** Returns the name of a provider. */
export const chatProviderLabel = (provider: string): string =>
  chatProviders.find(({ id }) => id === provider)?.label ?? provider;
