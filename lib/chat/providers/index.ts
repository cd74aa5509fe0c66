import type { ChatProviderId } from "../connector/schemas.ts";
import { discord } from "./discord.ts";
import { generic } from "./generic.ts";
import { meta } from "./meta.ts";
import type { ChatProvider } from "./provider.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";

const providers: Readonly<Record<ChatProviderId, ChatProvider>> = {
  slack,
  teams,
  telegram,
  discord,
  meta,
  generic,
};

/** Returns a chat provider by its id. */
export const chatProvider = (id: ChatProviderId): ChatProvider => providers[id];

/** Finds a chat provider by an untrusted id. */
export const findChatProvider = (id: string): ChatProvider | undefined =>
  Object.values(providers).find((provider) => provider.id === id);
