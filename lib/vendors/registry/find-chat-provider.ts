import type { ChatProvider } from "../chat-provider.ts";
import { chatProviders } from "./chat-providers.ts";
import type { ChatProviderId } from "./ids.ts";

const byId: ReadonlyMap<string, ChatProvider> = new Map(Object.entries(chatProviders));

/** Returns a chat provider by its id. */
export const chatProvider = (id: ChatProviderId): ChatProvider => chatProviders[id];

/** Finds a chat provider by an untrusted id. */
export const findChatProvider = (id: string): ChatProvider | undefined => byId.get(id);
