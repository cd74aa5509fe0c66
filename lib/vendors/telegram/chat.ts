import * as z from "zod";
import { callApi, readResponse } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import { splitEvery } from "../../platform/runtime/split-every.ts";
import type {
  ButtonMessages,
  ChatButton,
  ChatCall,
  ChatProvider,
  DownloadCall,
  DownloadedFile,
  ProviderAttachment,
  ReadAttachment,
  ReadMessage,
  ReplySources,
} from "../chat-provider.ts";
import { describeAttachment, nameAttachment, withAttachments } from "../shared/chat/attachments.ts";
import { requireAddress } from "../shared/chat/conversation-address.ts";
import {
  apiUrlSetting,
  need,
  resolveApiUrl,
  secret,
  sourcesSetting,
  thumbsSetting,
} from "../shared/chat/parameters.ts";
import { withSources } from "../shared/chat/sources.ts";
import { jsonResponse } from "../shared/webhook/echo.ts";
import { getList, getMember, getText } from "../shared/webhook/payload-members.ts";
import { webhook } from "./webhook.ts";

const provider = "Telegram";
/** Stands for the error of an edit that changes nothing. */
const notModified = 304;
const SentMessage = z.object({
  result: z.object({ message_id: z.int(), chat: z.object({ id: z.int() }) }),
});

const readStatus = async (response: Response): Promise<number> => {
  const errorBody: unknown = await response.json().catch(() => undefined);
  const isSame = getText(errorBody, "description")?.includes("message is not modified");
  return isSame ? notModified : response.status;
};

const callTelegram = async (call: ChatCall, method: string, body: object): Promise<Response> => {
  const base = resolveApiUrl(call.parameters, "https://api.telegram.org");
  return callApi(call.fetch, {
    provider,
    method: "POST",
    url: `${base}/bot${need(call.parameters, "botToken")}/${method}`,
    body,
    readStatus,
  });
};

const formatName = (person: unknown): string | null => {
  const names = [getText(person, "first_name"), getText(person, "last_name")].filter(Boolean);
  return names.length > 0 ? names.join(" ") : (getText(person, "username") ?? null);
};

/** Members of a message that are a file, with the kind that names a file without a name. */
const fileKinds = {
  document: "document",
  audio: "audio",
  voice: "voice",
  video: "video",
  video_note: "video",
} as const;

const jpegType = "image/jpeg";

/**
 * Reads the files of a message (https://core.telegram.org/bots/api#message). A photo comes in several sizes, of which the
 * largest is read. An animation is a document, too.
 */
const readFiles = (message: unknown): ReadAttachment[] => {
  const sizes = getList(message, "photo").map((size) => ({
    size,
    pixels: Number(getText(size, "width") ?? 0) * Number(getText(size, "height") ?? 0),
  }));
  const [photo] = sizes.toSorted((one, other) => other.pixels - one.pixels);
  const files = Object.entries(fileKinds).flatMap(([member, kind]) =>
    toAttachment(getMember(message, member), kind),
  );
  return photo ? [...toAttachment(photo.size, "photo", jpegType), ...files] : files;
};

const toAttachment = (
  file: unknown,
  kind: string,
  type: string | null = null,
): ReadAttachment[] => {
  const id = getText(file, "file_id");
  if (id === undefined) return [];
  const described = describeAttachment(file, {
    name: "file_name",
    mediaType: "mime_type",
    bytes: "file_size",
  });
  const mediaType = described.mediaType ?? type;
  const name = described.name ?? nameAttachment(kind, mediaType);
  return [{ ...described, name, mediaType, location: { reference: { id } } }];
};

const TelegramFile = z.object({ result: z.object({ file_path: z.string() }) });

/** https://core.telegram.org/bots/api#getfile: files of up to 20 MB. The token is in the address, which no error quotes. */
const fetchAttachment = async (
  call: DownloadCall,
  { reference: { id } }: ProviderAttachment,
): Promise<DownloadedFile> => {
  const response = await callTelegram(call, "getFile", { file_id: id });
  const { result } = await readResponse(provider, response, TelegramFile);
  const parts = result.file_path.split("/");
  // A server of one's own may have its files in a folder that it does not serve.
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    throw new ProviderApiError(`${provider} does not serve the file.`);
  }
  const base = resolveApiUrl(call.parameters, "https://api.telegram.org");
  const path = parts.map(encodeURIComponent).join("/");
  return call.download(`${base}/file/bot${need(call.parameters, "botToken")}/${path}`);
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
  const text = getText(message, "text") ?? getText(message, "caption") ?? "";
  const attachments = readFiles(message);
  if (!id || !user || !chatId || getMember(from, "is_bot") === true) return undefined;
  if (text === "" && attachments.length === 0) return undefined;
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
    ...withAttachments(attachments),
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

const buttonsInRow = 3;

const showButtons = (buttons: readonly ChatButton[]) => ({
  inline_keyboard: splitEvery(buttons, buttonsInRow).map((row) =>
    row.map(({ label, data }) => ({ text: label, callback_data: data })),
  ),
});

const parseConversation = (id: string): { chat: string; thread?: string } | undefined => {
  const [, chat, thread] = /^(-?\d+|@\w+)(?::(\d+))?$/.exec(id) ?? [];
  return chat === undefined ? undefined : { chat, ...(thread && { thread }) };
};

const nameConversation = (chat: string, thread: string | undefined): string =>
  thread ? `${chat}:${thread}` : chat;

/** https://core.telegram.org/bots/api#callbackquery. */
const buttonMessages: ButtonMessages = {
  readPress: (payload) => {
    const query = getMember(payload, "callback_query");
    const [id, data] = [getText(query, "from", "id"), getText(query, "data")];
    if (!id || !data) return undefined;
    const pressed = getMember(query, "message");
    const [chat, message] = [getText(pressed, "chat", "id"), getText(pressed, "message_id")];
    const isTopic = getMember(pressed, "is_topic_message") === true;
    const thread = isTopic ? getText(pressed, "message_thread_id") : undefined;
    return {
      user: { id, name: formatName(getMember(query, "from")) },
      data,
      message:
        chat && message
          ? { conversationId: nameConversation(chat, thread), reference: { chat, message } }
          : undefined,
    };
  },
  post: async (call, { conversationId, text, buttons }) => {
    const address = requireAddress(provider, parseConversation(conversationId));
    const { thread } = address;
    const response = await callTelegram(call, "sendMessage", {
      chat_id: address.chat,
      text,
      ...(thread && { message_thread_id: Number(thread) }),
      ...(buttons.length > 0 && { reply_markup: showButtons(buttons) }),
    });
    const { result } = await readResponse(provider, response, SentMessage);
    const [chat, message] = [String(result.chat.id), String(result.message_id)];
    return { conversationId: nameConversation(chat, thread), reference: { chat, message } };
  },
  replace: async (call, { reference: { chat, message } }, { text, buttons }) => {
    try {
      await callTelegram(call, "editMessageText", {
        chat_id: chat,
        message_id: Number(message),
        text,
        reply_markup: showButtons(buttons),
      });
    } catch (error) {
      if (!(error instanceof ProviderApiError && error.status === notModified)) throw error;
    }
  },
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
  fetchAttachment,
  buttons: buttonMessages,
  buildReplyTo: parseConversation,
  textLimit: () => ({ longest: 4_096 }),
  reply: async (call, { message, text: plain, buttons, sources }) => {
    const thread = getText(message.replyTo, "thread");
    const { text, entities } = linkSources(plain, sources);
    await callTelegram(call, "sendMessage", {
      chat_id: getText(message.replyTo, "chat") ?? "",
      text,
      ...(entities.length > 0 && { entities }),
      ...(thread && { message_thread_id: Number(thread) }),
      ...(buttons && { reply_markup: showButtons(buttons) }),
    });
  },
  test: async (call) => {
    await callTelegram(call, "getMe", {});
  },
};
