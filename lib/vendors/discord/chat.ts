import { callApi } from "../../platform/outgoing/call-api.ts";
import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import type { ChatCall, ChatProvider, ReadMessage, ReplySource } from "../chat-provider.ts";
import {
  apiUrlSetting,
  chatSetting,
  need,
  resolveApiUrl,
  secret,
  sourcesSetting,
  thumbsSetting,
} from "../shared/chat/parameters.ts";
import { markdownSource, withSources } from "../shared/chat/sources.ts";
import { buildThumbs, readThumb } from "../shared/chat/thumbs.ts";
import { getList, getMember, getText } from "../shared/webhook/payload-members.ts";
import { webhook } from "./webhook.ts";

const applicationCommand = "2";
const messageComponent = "3";
/** Lifetime of an interaction token, minus 30 s for the request. */
const tokenMs = 15 * 60_000 - 30_000;

/** Formats a source as a link without a preview. */
const formatSource = (source: ReplySource): string => markdownSource(source, ["<", ">"]);

const callDiscord = async (
  call: ChatCall,
  {
    path,
    method = "POST",
    body,
    isBot,
  }: {
    path: string;
    method?: "GET" | "POST";
    body?: object;
    isBot: boolean;
  },
): Promise<void> => {
  await callApi(call.fetch, {
    provider: "Discord",
    method,
    url: `${resolveApiUrl(call.parameters, "https://discord.com/api/v10")}${path}`,
    ...(isBot && { headers: { authorization: `Bot ${need(call.parameters, "botToken")}` } }),
    ...(body && { body }),
  });
};

/** Collects the values of a command's options, including subcommands. */
const optionValues = (options: readonly unknown[]): string[] =>
  options.flatMap((option) => {
    const value = getText(option, "value");
    return value === undefined ? optionValues(getList(option, "options")) : [value];
  });

const readInteraction = (payload: unknown): ReadMessage | undefined => {
  if (getText(payload, "type") !== applicationCommand) return undefined;
  const user = getMember(payload, "member", "user") ?? getMember(payload, "user");
  const [id, token] = [getText(payload, "id"), getText(payload, "token")];
  const userId = getText(user, "id");
  const channel = getText(payload, "channel_id") ?? getText(payload, "channel", "id");
  const application = getText(payload, "application_id");
  const text = optionValues(getList(payload, "data", "options")).join(" ");
  if (!id || !token || !userId || !channel || !application || getMember(user, "bot") === true) {
    return undefined;
  }
  return {
    id,
    user: {
      id: userId,
      name: getText(user, "global_name") ?? getText(user, "username") ?? null,
    },
    conversation: { id: channel, name: getText(payload, "channel", "name") ?? null },
    text: text === "" ? `/${getText(payload, "data", "name") ?? ""}` : text,
    replyTo: { application, token, channel },
  };
};

/** A row of gray buttons. */
const buttonsFor = (executionId: string) => ({
  type: 1,
  components: buildThumbs(executionId).map(({ label, data }) => ({
    type: 2,
    style: 2,
    emoji: { name: label },
    custom_id: data,
  })),
});

/**
 * Discord slash commands. Replies are follow-ups while the interaction token is valid, and bot
 * messages in the channel otherwise
 * (https://discord.com/developers/docs/interactions/receiving-and-responding).
 */
export const chat: ChatProvider = {
  id: "discord",
  displayName: "Discord",
  parameters: [
    chatSetting("publicKey", { check: webhook.signing.checkSecret }),
    secret("botToken"),
    apiUrlSetting,
    thumbsSetting,
    sourcesSetting,
  ],
  webhook,
  selectSecrets: ({ publicKey = null }) => ({ signing: publicKey, handshake: publicKey }),
  readMessages: (payload) => {
    const message = readInteraction(payload);
    return message ? [message] : [];
  },
  readThumb: (payload) => {
    if (getText(payload, "type") !== messageComponent) return undefined;
    const user = getMember(payload, "member", "user") ?? getMember(payload, "user");
    return readThumb(getText(user, "id"), getText(payload, "data", "custom_id"));
  },
  buildReplyTo: (channel) => (/^\d+$/.test(channel) ? { channel } : undefined),
  textLimit: () => ({ longest: 2_000 }),
  reply: async (call, { message, text, thumbsFor, sources }) => {
    const part = (name: string) => encodeURIComponent(getText(message.replyTo, name) ?? "");
    const body = {
      content: withSources(text, sources, formatSource),
      allowed_mentions: { parse: [] },
      ...(thumbsFor && { components: [buttonsFor(thumbsFor)] }),
    };
    if (part("token") !== "" && call.now < message.receivedAt + tokenMs) {
      const path = `/webhooks/${part("application")}/${part("token")}`;
      try {
        return await callDiscord(call, { path, body, isBot: false });
      } catch (error) {
        if (refusalIn(error)?.isTransient !== false) throw error;
      }
    }
    await callDiscord(call, { path: `/channels/${part("channel")}/messages`, body, isBot: true });
  },
  test: (call) => callDiscord(call, { path: "/users/@me", method: "GET", isBot: true }),
};
