import { callApi } from "../../platform/outgoing/call-api.ts";
import type { ChatCall, ChatProvider, ReadMessage, ReplySources } from "../chat-provider.ts";
import {
  apiUrlSetting,
  need,
  resolveApiUrl,
  secret,
  sourcesSetting,
  thumbsSetting,
} from "../shared/chat/parameters.ts";
import { withSources } from "../shared/chat/sources.ts";
import { buildThumbs, readThumb } from "../shared/chat/thumbs.ts";
import { jsonResponse } from "../shared/webhook/echo.ts";
import { getMember, getText } from "../shared/webhook/payload-members.ts";
import { webhook } from "./webhook.ts";

const callTelegram = async (call: ChatCall, method: string, body: object): Promise<void> => {
  const base = resolveApiUrl(call.parameters, "https://api.telegram.org");
  await callApi(call.fetch, {
    provider: "Telegram",
    method: "POST",
    url: `${base}/bot${need(call.parameters, "botToken")}/${method}`,
    body,
  });
};

const formatName = (person: unknown): string | null => {
  const names = [getText(person, "first_name"), getText(person, "last_name")].filter(Boolean);
  return names.length > 0 ? names.join(" ") : (getText(person, "username") ?? null);
};

const readUpdate = (payload: unknown): ReadMessage | undefined => {
  const message = getMember(payload, "message");
  const from = getMember(message, "from");
  const chat = getMember(message, "chat");
  const [id, user, chatId] = [
    getText(message, "message_id"),
    getText(from, "id"),
    getText(chat, "id"),
  ];
  const text = getText(message, "text") ?? getText(message, "caption");
  if (!id || !user || !chatId || !text || getMember(from, "is_bot") === true) return undefined;
  const topic = getMember(message, "is_topic_message") === true;
  const thread = topic ? getText(message, "message_thread_id") : undefined;
  return {
    id,
    user: { id: user, name: formatName(from) },
    conversation: {
      id: thread ? `${chatId}:${thread}` : chatId,
      name: getText(chat, "title") ?? formatName(chat),
    },
    text,
    replyTo: { chat: chatId, ...(thread && { thread }) },
  };
};

/**
 * Appends sources with links to a text. Entities count UTF-16 units
 * (https://core.telegram.org/bots/api#messageentity).
 */
const linkSources = (plain: string, sources: ReplySources | undefined) => {
  const titles = sources?.items.map(({ title }) => title) ?? [];
  const text = withSources(plain, sources, ({ title }) => title);
  let end = text.length;
  const entities = titles.toReversed().flatMap((title, at) => {
    const offset = end - title.length;
    end = offset - "\n• ".length;
    const link = sources?.items.at(-1 - at)?.link;
    return link ? [{ type: "text_link", offset, length: title.length, url: link }] : [];
  });
  return { text, entities: entities.toReversed() };
};

/** Telegram bots: https://core.telegram.org/bots/api#sendmessage. */
export const chat: ChatProvider = {
  id: "telegram",
  displayName: "Telegram",
  parameters: [
    secret("botToken", {
      check: (value) =>
        /^\d+:[A-Za-z0-9_-]+$/.test(value) ? undefined : "it is not a token of @BotFather",
    }),
    secret("secretToken", { isRequired: false, check: webhook.signing.checkSecret }),
    apiUrlSetting,
    thumbsSetting,
    sourcesSetting,
  ],
  webhook: {
    ...webhook,
    // Ends the progress bar of a pressed button.
    acknowledge: (_request, payload) => {
      const pressed = getText(payload, "callback_query", "id");
      return pressed === undefined
        ? { status: 204 }
        : jsonResponse({ method: "answerCallbackQuery", callback_query_id: pressed });
    },
  },
  selectSecrets: ({ secretToken = null }) => ({ signing: secretToken, handshake: secretToken }),
  readMessages: (payload) => {
    const message = readUpdate(payload);
    return message ? [message] : [];
  },
  readThumb: (payload) => {
    const query = getMember(payload, "callback_query");
    return readThumb(getText(query, "from", "id"), getText(query, "data"));
  },
  buildReplyTo: (conversationId) => {
    const [, chat, thread] = /^(-?\d+|@\w+)(?::(\d+))?$/.exec(conversationId) ?? [];
    return chat === undefined ? undefined : { chat, ...(thread && { thread }) };
  },
  textLimit: () => ({ longest: 4_096 }),
  reply: (call, { message, text: plain, thumbsFor, sources }) => {
    const thread = getText(message.replyTo, "thread");
    const { text, entities } = linkSources(plain, sources);
    return callTelegram(call, "sendMessage", {
      chat_id: getText(message.replyTo, "chat") ?? "",
      text,
      ...(entities.length > 0 && { entities }),
      ...(thread && { message_thread_id: Number(thread) }),
      ...(thumbsFor && {
        reply_markup: {
          inline_keyboard: [
            buildThumbs(thumbsFor).map(({ label, data }) => ({ text: label, callback_data: data })),
          ],
        },
      }),
    });
  },
  test: (call) => callTelegram(call, "getMe", {}),
};
