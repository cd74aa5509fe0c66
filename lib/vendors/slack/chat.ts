import * as z from "zod";
import { callApi, readApi } from "../../platform/outgoing/call-api.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import {
  ProviderApiError,
  refusalIn,
  refusedBy,
  unexpectedResponse,
} from "../../platform/outgoing/provider-api-error.ts";
import type { ChatMessage } from "../chat-message.ts";
import type {
  ButtonMessages,
  ChatButton,
  ChatCall,
  ChatProvider,
  ReadMessage,
  ReplySource,
} from "../chat-provider.ts";
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
import { getList, getMember, getText } from "../shared/webhook/payload-members.ts";
import { escapeText, plainText } from "./text.ts";
import { webhook } from "./webhook.ts";

const provider = "Slack";
/** Lifetime of a response_url, minus 30 s for the request. */
const responseUrlMs = 30 * 60_000 - 30_000;
const SlackResponse = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  channel: z.string().optional(),
  ts: z.string().optional(),
});
/** Errors of the API that a retry may pass. */
const transientErrors = new Set([
  "internal_error",
  "fatal_error",
  "service_unavailable",
  "request_timeout",
]);
/** Subtypes of messages from people; the rest are edits, joins and bot messages. */
const messageSubtypes = new Set([undefined, "file_share", "thread_broadcast", "me_message"]);

/** Calls the Slack API, which reports errors by a code in a 200 response. */
const callSlack = async (
  call: ChatCall,
  method: string,
  body: object,
): Promise<z.output<typeof SlackResponse>> => {
  const response = await readApi(
    call.fetch,
    {
      provider,
      method: "POST",
      url: `${resolveApiUrl(call.parameters, "https://slack.com/api")}/${method}`,
      headers: {
        authorization: `Bearer ${need(call.parameters, "botToken")}`,
        "content-type": "application/json; charset=utf-8",
      },
      body,
    },
    SlackResponse,
  );
  if (response.ok) return response;
  const { error = "" } = response;
  if (error === "ratelimited") throw refusedBy(provider, 429);
  if (transientErrors.has(error)) throw refusedBy(provider, 503);
  const word = /^[a-z_]{1,60}$/.test(error) ? error : "an error";
  throw new ProviderApiError(`${provider} responded with ${word}.`);
};

const readEvent = (payload: unknown): ReadMessage | undefined => {
  const event = getMember(payload, "event");
  const type = getText(event, "type");
  if (type !== "message" && type !== "app_mention") return undefined;
  if (!messageSubtypes.has(getText(event, "subtype")) || getMember(event, "bot_id") !== undefined) {
    return undefined;
  }
  const [user, channel, ts] = [
    getText(event, "user"),
    getText(event, "channel"),
    getText(event, "ts"),
  ];
  const text = plainText((getText(event, "text") ?? "").replace(/^\s*<@[A-Z0-9]+>\s*/, ""));
  if (!user || !channel || !ts || !text) return undefined;
  const thread = getText(event, "thread_ts");
  return {
    id: ts,
    user: { id: user, name: null },
    conversation: { id: thread ? `${channel}:${thread}` : channel, name: null },
    text,
    replyTo: { channel, ...(thread && { thread }) },
  };
};

const readCommand = (payload: unknown): ReadMessage | undefined => {
  const [user, channel] = [getText(payload, "user_id"), getText(payload, "channel_id")];
  const [id, command] = [getText(payload, "trigger_id"), getText(payload, "command")];
  if (!command || !user || !channel || !id) return undefined;
  const responseUrl = getText(payload, "response_url") ?? "";
  const isUrl = parseAddress(responseUrl) !== undefined;
  return {
    id,
    user: { id: user, name: getText(payload, "user_name") ?? null },
    conversation: { id: channel, name: getText(payload, "channel_name") ?? null },
    text: plainText(getText(payload, "text") ?? command),
    replyTo: { channel, ...(isUrl && { responseUrl }) },
  };
};

/** Returns the response_url of a command, which works outside the bot's channels; undefined once it expired. */
const findResponseUrl = (
  call: ChatCall,
  { replyTo, receivedAt }: ChatMessage,
): string | undefined => {
  const url = getText(replyTo, "responseUrl");
  if (url === undefined || call.now >= receivedAt + responseUrlMs) return undefined;
  const own = call.parameters.apiUrl;
  const origins = ["https://hooks.slack.com", ...(own === undefined ? [] : [new URL(own).origin])];
  return origins.includes(new URL(url).origin) ? url : undefined;
};

/** Formats a source as a link, https://docs.slack.dev/messaging/formatting-message-text#links. */
const formatSource = ({ title, link }: ReplySource): string => {
  const label = escapeText(title);
  return link === null ? label : `<${escapeText(link).replaceAll("|", "%7C")}|${label}>`;
};

/** Buttons below a text, which blocks of their own would replace. */
const showButtons = (buttons: readonly ChatButton[]) => {
  const elements = buttons.map(({ label, data }, at) => ({
    type: "button",
    text: { type: "plain_text", text: label, emoji: true },
    action_id: `button-${at}`,
    value: data,
  }));
  return [{ blocks: [{ type: "actions", elements }] }];
};

const parseConversation = (id: string): { channel: string; thread?: string } | undefined => {
  const [, channel, thread] = /^([A-Za-z0-9]+)(?::([0-9.]+))?$/.exec(id) ?? [];
  return channel === undefined ? undefined : { channel, ...(thread && { thread }) };
};

/** Names a conversation: a channel, or a thread in it. A message that begins a thread is in the channel. */
const nameConversation = (channel: string, ts: string, thread: string | undefined): string =>
  thread && thread !== ts ? `${channel}:${thread}` : channel;

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload. */
const buttonMessages: ButtonMessages = {
  readPress: (payload) => {
    if (getText(payload, "type") !== "block_actions") return undefined;
    const [action] = getList(payload, "actions");
    const [id, data] = [getText(payload, "user", "id"), getText(action, "value")];
    if (!id || !data) return undefined;
    const name = getText(payload, "user", "name") ?? getText(payload, "user", "username") ?? null;
    const channel = getText(payload, "container", "channel_id");
    const ts = getText(payload, "container", "message_ts");
    const thread = getText(payload, "container", "thread_ts");
    return {
      user: { id, name },
      data,
      message:
        channel && ts
          ? { conversationId: nameConversation(channel, ts, thread), reference: { channel, ts } }
          : undefined,
    };
  },
  post: async (call, { conversationId, text, buttons }) => {
    const address = requireAddress(provider, parseConversation(conversationId));
    const { thread } = address;
    const response = await callSlack(call, "chat.postMessage", {
      channel: address.channel,
      text: escapeText(text),
      ...(buttons.length > 0 && { attachments: showButtons(buttons) }),
      ...(thread && { thread_ts: thread }),
    });
    const { channel, ts } = response;
    if (!channel || !ts) throw unexpectedResponse(provider);
    return { conversationId: nameConversation(channel, ts, thread), reference: { channel, ts } };
  },
  replace: async (call, { reference: { channel, ts } }, { text, buttons }) => {
    const attachments = buttons.length > 0 ? showButtons(buttons) : [];
    await callSlack(call, "chat.update", { channel, ts, text: escapeText(text), attachments });
  },
};

/**
 * Slack messages, mentions and slash commands. Replies with chat.postMessage, or to a command's response_url while
 * it is valid, up to five times
 * (https://docs.slack.dev/interactivity/handling-user-interaction#message_responses).
 */
export const chat: ChatProvider = {
  id: "slack",
  displayName: "Slack",
  parameters: [
    secret("botToken"),
    secret("signingSecret", { isRequired: false }),
    apiUrlSetting,
    thumbsSetting,
    sourcesSetting,
  ],
  webhook,
  selectSecrets: ({ signingSecret = null }) => ({
    signing: signingSecret,
    handshake: signingSecret,
  }),
  readMessages: (payload) => {
    const message =
      getText(payload, "type") === "event_callback" ? readEvent(payload) : readCommand(payload);
    return message ? [message] : [];
  },
  buttons: buttonMessages,
  buildReplyTo: parseConversation,
  textLimit: () => ({ longest: 40_000, weigh: (character) => escapeText(character).length }),
  reply: async (call, { message, text: plain, buttons, sources }) => {
    const text = withSources(escapeText(plain), sources, formatSource);
    const attachments = buttons && { attachments: showButtons(buttons) };
    const url = findResponseUrl(call, message);
    if (url !== undefined) {
      try {
        const body = { response_type: "in_channel", text, ...attachments };
        await callApi(call.fetch, { provider, method: "POST", url, body });
        return;
      } catch (error) {
        if (refusalIn(error)?.isTransient !== false) throw error;
      }
    }
    const channel = getText(message.replyTo, "channel") ?? "";
    const thread_ts = getText(message.replyTo, "thread");
    await callSlack(call, "chat.postMessage", {
      channel,
      text,
      ...attachments,
      ...(thread_ts && { thread_ts }),
    });
  },
  test: async (call) => {
    await callSlack(call, "auth.test", {});
  },
};
