import { callApi } from "../../platform/outgoing/call-api.ts";
import { jsonResponse } from "../../webhooks/providers/echo.ts";
import { memberOf, textOf } from "../../webhooks/providers/payload-members.ts";
import { telegram as webhook } from "../../webhooks/providers/telegram.ts";
import { apiUrl, baseOf, need, secret, thumbsSetting } from "./parameters.ts";
import type { ChatCall, ChatProvider, ReadMessage } from "./provider.ts";
import { readThumb, thumbsOf } from "./thumbs.ts";

const callTelegram = async (call: ChatCall, method: string, body: object): Promise<void> => {
  const base = baseOf(call.parameters, "https://api.telegram.org");
  await callApi(call.fetch, {
    provider: "Telegram",
    method: "POST",
    url: `${base}/bot${need(call.parameters, "botToken")}/${method}`,
    body,
  });
};

const nameOf = (person: unknown): string | null => {
  const names = [textOf(person, "first_name"), textOf(person, "last_name")].filter(Boolean);
  return names.length > 0 ? names.join(" ") : (textOf(person, "username") ?? null);
};

const readUpdate = (payload: unknown): ReadMessage | undefined => {
  const message = memberOf(payload, "message");
  const from = memberOf(message, "from");
  const chat = memberOf(message, "chat");
  const [id, user, chatId] = [
    textOf(message, "message_id"),
    textOf(from, "id"),
    textOf(chat, "id"),
  ];
  const text = textOf(message, "text") ?? textOf(message, "caption");
  if (!id || !user || !chatId || !text || memberOf(from, "is_bot") === true) return undefined;
  const topic = memberOf(message, "is_topic_message") === true;
  const thread = topic ? textOf(message, "message_thread_id") : undefined;
  return {
    id,
    user: { id: user, name: nameOf(from) },
    conversation: {
      id: thread ? `${chatId}:${thread}` : chatId,
      name: textOf(chat, "title") ?? nameOf(chat),
    },
    text,
    replyTo: { chat: chatId, ...(thread && { thread }) },
  };
};

/** Telegram bots: https://core.telegram.org/bots/api#sendmessage. */
export const telegram: ChatProvider = {
  id: "telegram",
  displayName: "Telegram",
  parameters: [
    secret("botToken", {
      check: (value) =>
        /^\d+:[A-Za-z0-9_-]+$/.test(value) ? undefined : "it is not a token that @BotFather gives",
    }),
    secret("secretToken", { isRequired: false, check: webhook.signing.checkSecret }),
    apiUrl,
    thumbsSetting,
  ],
  webhook: {
    ...webhook,
    // Ends the progress bar of a pressed button.
    acknowledge: (_request, payload) => {
      const pressed = textOf(payload, "callback_query", "id");
      return pressed === undefined
        ? { status: 204 }
        : jsonResponse({ method: "answerCallbackQuery", callback_query_id: pressed });
    },
  },
  secretsOf: ({ secretToken = null }) => ({ signing: secretToken, handshake: secretToken }),
  readMessages: (payload) => {
    const message = readUpdate(payload);
    return message ? [message] : [];
  },
  readThumb: (payload) => {
    const query = memberOf(payload, "callback_query");
    return readThumb(textOf(query, "from", "id"), textOf(query, "data"));
  },
  replyToOf: (conversationId) => {
    const [, chat, thread] = /^(-?\d+|@\w+)(?::(\d+))?$/.exec(conversationId) ?? [];
    return chat === undefined ? undefined : { chat, ...(thread && { thread }) };
  },
  textLimit: () => ({ longest: 4_096 }),
  reply: (call, { message, text, thumbsFor }) => {
    const thread = textOf(message.replyTo, "thread");
    return callTelegram(call, "sendMessage", {
      chat_id: textOf(message.replyTo, "chat") ?? "",
      text,
      ...(thread && { message_thread_id: Number(thread) }),
      ...(thumbsFor && {
        reply_markup: {
          inline_keyboard: [
            thumbsOf(thumbsFor).map(({ label, data }) => ({ text: label, callback_data: data })),
          ],
        },
      }),
    });
  },
  test: (call) => callTelegram(call, "getMe", {}),
};
