import * as z from "zod";
import { callApi, readApi } from "../../platform/outgoing/call-api.ts";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import {
  ProviderApiError,
  refusalIn,
  refusedBy,
  unexpectedResponse,
} from "../../platform/outgoing/provider-api-error.ts";
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
  RepliedMessage,
  ReplySource,
} from "../chat-provider.ts";
import {
  describeAttachment,
  isTrustedAddress,
  withAttachments,
} from "../shared/chat/attachments.ts";
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

/** Reads the files of a message: https://docs.slack.dev/reference/objects/file-object. */
const readFiles = (event: unknown): ReadAttachment[] =>
  getList(event, "files").flatMap((file) => {
    const [id, url] = [getText(file, "id"), getText(file, "url_private_download")];
    if (id === undefined) return [];
    const described = describeAttachment(file, {
      name: "name",
      mediaType: "mimetype",
      bytes: "size",
    });
    return [{ ...described, location: { reference: { id, ...(url && { url }) } } }];
  });

/** Hosts of files, the only ones that receive the bot's token; those of GovSlack from memory. */
const fileHosts = /^files\.slack(?:-gov)?\.com$/;
const FileInfo = z.object({
  file: z.object({ url_private_download: z.string().optional() }).optional(),
});

/** Returns the address of a file that a message of a shared channel names by its id alone. */
const findFileUrl = async (call: ChatCall, id: string): Promise<string | undefined> => {
  const base = resolveApiUrl(call.parameters, "https://slack.com/api");
  const { file } = await readApi(
    call.fetch,
    {
      provider,
      url: `${base}/files.info?file=${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${need(call.parameters, "botToken")}` },
    },
    FileInfo,
  );
  return file?.url_private_download;
};

const htmlType = "text/html";

/** Without the scope `files:read`, Slack redirects to its login page. */
const fetchAttachment = async (
  call: DownloadCall,
  { reference: { id = "", url: given }, mediaType }: ProviderAttachment,
): Promise<DownloadedFile> => {
  const url = given ?? (await findFileUrl(call, id));
  if (url === undefined || !isTrustedAddress(call.parameters, url, fileHosts)) {
    throw new ProviderApiError("Slack does not store the file, or the bot may not read it.");
  }
  const authorization = `Bearer ${need(call.parameters, "botToken")}`;
  const file = await call.download(url, { authorization });
  if (file.mediaType !== htmlType || mediaType === htmlType) return file;
  throw new ProviderApiError("Slack did not send the file: the bot needs the scope files:read.");
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
  const attachments = readFiles(event);
  if (!user || !channel || !ts || (!text && attachments.length === 0)) return undefined;
  const thread = getText(event, "thread_ts");
  return {
    id: ts,
    user: { id: user, name: null },
    conversation: { id: thread ? `${channel}:${thread}` : channel, name: null },
    text,
    ...withAttachments(attachments),
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
  { replyTo, receivedAt }: RepliedMessage,
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
  fetchAttachment,
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
