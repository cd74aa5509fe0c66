import { createHash } from "node:crypto";
import * as z from "zod";
import { callApi, readResponse } from "../../platform/outgoing/call-api.ts";
import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { splitEvery } from "../../platform/runtime/split-every.ts";
import type {
  ButtonMessages,
  ChatButton,
  ChatCall,
  ChatProvider,
  ReadAttachment,
  ReadMessage,
  ReplySource,
} from "../chat-provider.ts";
import { describeAttachment, withAttachments } from "../shared/chat/attachments.ts";
import { requireAddress } from "../shared/chat/conversation-address.ts";
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
import { getList, getMember, getText } from "../shared/webhook/payload-members.ts";
import { webhook } from "./webhook.ts";

const provider = "Discord";
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
    method?: "GET" | "POST" | "PATCH";
    body?: object;
    isBot: boolean;
  },
): Promise<Response> =>
  callApi(call.fetch, {
    provider,
    method,
    url: `${resolveApiUrl(call.parameters, "https://discord.com/api/v10")}${path}`,
    ...(isBot && { headers: { authorization: `Bot ${need(call.parameters, "botToken")}` } }),
    ...(body && { body }),
  });

/** Type of an option that is a file; its value is an id. */
const attachmentOption = "11";

/** A value of a command's option. */
type OptionValue = { readonly value: string; readonly isFile: boolean };

/** Collects the values of a command's options, including subcommands. */
const optionValues = (options: readonly unknown[]): OptionValue[] =>
  options.flatMap((option) => {
    const value = getText(option, "value");
    if (value === undefined) return optionValues(getList(option, "options"));
    return [{ value, isFile: getText(option, "type") === attachmentOption }];
  });

/**
 * Reads a file of a command: its address needs no credential
 * (https://discord.com/developers/docs/resources/message#attachment-object).
 */
const readFile = (payload: unknown, id: string): ReadAttachment[] => {
  const file = getMember(payload, "data", "resolved", "attachments", id);
  const url = getText(file, "url");
  if (url === undefined) return [];
  const described = describeAttachment(file, {
    name: "filename",
    mediaType: "content_type",
    bytes: "size",
  });
  return [{ ...described, location: { url } }];
};

const findUser = (payload: unknown): unknown =>
  getMember(payload, "member", "user") ?? getMember(payload, "user");

const findUserName = (user: unknown): string | null =>
  getText(user, "global_name") ?? getText(user, "username") ?? null;

const readInteraction = (payload: unknown): ReadMessage | undefined => {
  if (getText(payload, "type") !== applicationCommand) return undefined;
  const user = findUser(payload);
  const [id, token] = [getText(payload, "id"), getText(payload, "token")];
  const userId = getText(user, "id");
  const channel = getText(payload, "channel_id") ?? getText(payload, "channel", "id");
  const application = getText(payload, "application_id");
  const values = optionValues(getList(payload, "data", "options"));
  const texts = values.flatMap(({ value, isFile }) => (isFile ? [] : [value]));
  const text = texts.join(" ");
  const attachments = values.flatMap(({ value, isFile }) =>
    isFile ? readFile(payload, value) : [],
  );
  if (!id || !token || !userId || !channel || !application || getMember(user, "bot") === true) {
    return undefined;
  }
  return {
    id,
    user: { id: userId, name: findUserName(user) },
    conversation: { id: channel, name: getText(payload, "channel", "name") ?? null },
    text: text === "" ? `/${getText(payload, "data", "name") ?? ""}` : text,
    ...withAttachments(attachments),
    replyTo: { application, token, channel },
  };
};

const buttonsInRow = 5;
const SentMessage = z.object({ id: z.string(), channel_id: z.string() });

/** Rows of gray buttons: https://docs.discord.com/developers/components/reference#button. */
const showButtons = (buttons: readonly ChatButton[]) =>
  splitEvery(buttons, buttonsInRow).map((row) => ({
    type: 1,
    components: row.map(({ label, data }) => ({ type: 2, style: 2, label, custom_id: data })),
  }));

const buildContent = (content: string, buttons: readonly ChatButton[]) => ({
  content,
  allowed_mentions: { parse: [] },
  components: showButtons(buttons),
});

const nonceLength = 25;

/**
 * Makes a bot's message one that is not posted again: for a few minutes, the same nonce returns the message that it was
 * posted with (https://docs.discord.com/developers/resources/message#create-message).
 */
const withNonce = (body: object, id: string): object => {
  const nonce = createHash("sha256").update(id).digest("base64url").slice(0, nonceLength);
  return { ...body, nonce, enforce_nonce: true };
};

const parseConversation = (channel: string): { channel: string } | undefined =>
  /^\d+$/.test(channel) ? { channel } : undefined;

const buttonMessages: ButtonMessages = {
  readPress: (payload) => {
    if (getText(payload, "type") !== messageComponent) return undefined;
    const user = findUser(payload);
    const [id, data] = [getText(user, "id"), getText(payload, "data", "custom_id")];
    if (!id || !data) return undefined;
    const channel = getText(payload, "channel_id") ?? getText(payload, "channel", "id");
    const message = getText(payload, "message", "id");
    return {
      user: { id, name: findUserName(user) },
      data,
      message:
        channel && message
          ? { conversationId: channel, reference: { channel, message } }
          : undefined,
    };
  },
  post: async (call, { conversationId, text, buttons, id: postId }) => {
    const address = requireAddress(provider, parseConversation(conversationId));
    const path = `/channels/${address.channel}/messages`;
    const body = withNonce(buildContent(text, buttons), postId);
    const response = await callDiscord(call, { path, body, isBot: true });
    const { id, channel_id: channel } = await readResponse(provider, response, SentMessage);
    return { conversationId: channel, reference: { channel, message: id } };
  },
  replace: async (call, { reference: { channel = "", message = "" } }, { text, buttons }) => {
    await callDiscord(call, {
      path: `/channels/${encodeURIComponent(channel)}/messages/${encodeURIComponent(message)}`,
      method: "PATCH",
      body: buildContent(text, buttons),
      isBot: true,
    });
  },
};

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
  buttons: buttonMessages,
  buildReplyTo: parseConversation,
  textLimit: () => ({ longest: 2_000 }),
  reply: async (call, { message, text, id, buttons = [], sources }) => {
    const part = (name: string) => encodeURIComponent(getText(message.replyTo, name) ?? "");
    const body = buildContent(withSources(text, sources, formatSource), buttons);
    if (part("token") !== "" && call.now < message.receivedAt + tokenMs) {
      const path = `/webhooks/${part("application")}/${part("token")}`;
      try {
        await callDiscord(call, { path, body, isBot: false });
        return;
      } catch (error) {
        if (refusalIn(error)?.isTransient !== false) throw error;
      }
    }
    await callDiscord(call, {
      path: `/channels/${part("channel")}/messages`,
      body: withNonce(body, id),
      isBot: true,
    });
  },
  test: async (call) => {
    await callDiscord(call, { path: "/users/@me", method: "GET", isBot: true });
  },
};
