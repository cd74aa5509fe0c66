import * as z from "zod";
import { callApi, readResponse } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError } from "../../platform/outgoing/provider-api-error.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type {
  ChatCall,
  ChatProvider,
  DownloadCall,
  DownloadedFile,
  ProviderAttachment,
  ReadAttachment,
  ReadMessage,
} from "../chat-provider.ts";
import {
  describeAttachment,
  isTrustedAddress,
  nameAttachment,
  withAttachments,
} from "../shared/chat/attachments.ts";
import { requireAddress } from "../shared/chat/conversation-address.ts";
import {
  apiUrlSetting,
  need,
  resolveApiUrl,
  secret,
  sourcesSetting,
} from "../shared/chat/parameters.ts";
import { plainSource, withSources } from "../shared/chat/sources.ts";
import { getList, getMember, getText } from "../shared/webhook/payload-members.ts";
import { webhook } from "./webhook.ts";

const provider = "Meta";
const base = "https://graph.facebook.com/v23.0";

/**
 * Error codes of throttling, including WhatsApp's:
 * https://developers.facebook.com/docs/graph-api/overview/rate-limiting.
 */
const throttling = new Set(["4", "17", "32", "613", "80007", "130429", "131056"]);

/** Maps Graph's transient errors, which it sends with 400 and 403 too, to 429 and 503. */
const readStatus = async (response: Response): Promise<number> => {
  const errorBody: unknown = await response.json().catch(() => undefined);
  if (throttling.has(getText(errorBody, "error", "code") ?? "")) return 429;
  return getMember(errorBody, "error", "is_transient") === true ? 503 : response.status;
};

const callMeta = async (
  call: ChatCall,
  path: string,
  method: "GET" | "POST",
  body?: object,
): Promise<Response> =>
  callApi(call.fetch, {
    provider,
    method,
    url: `${resolveApiUrl(call.parameters, base)}${path}`,
    headers: buildHeaders(call),
    ...(body && { body }),
    readStatus,
  });

const buildHeaders = ({ parameters }: ChatCall): { authorization: string } => ({
  authorization: `Bearer ${need(parameters, "accessToken")}`,
});

/** Kinds of media of a WhatsApp message, which are members of it. */
const mediaKinds = ["image", "document", "audio", "video"] as const;

/** Reads the media of a WhatsApp message, which have ids (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media). */
const readMedia = (message: unknown): ReadAttachment[] =>
  mediaKinds.flatMap((kind) => {
    const media = getMember(message, kind);
    const id = getText(media, "id");
    if (id === undefined) return [];
    const described = describeAttachment(media, {
      name: "filename",
      mediaType: "mime_type",
      bytes: "file_size",
    });
    const name = described.name ?? nameAttachment(kind, described.mediaType);
    return [{ ...described, name, location: { reference: { media: id } } }];
  });

/** Kinds of attachments of Messenger and Instagram that are files; others are shared pages and templates. */
const fileKinds: ReadonlySet<string | undefined> = new Set(["image", "audio", "video", "file"]);

/**
 * Reads the files of a Messenger or Instagram message, at addresses that need no credential. Stickers are left out. From the
 * documentation of `messages` as remembered: tolerant of other members.
 */
const readFiles = (message: unknown): ReadAttachment[] =>
  getList(message, "attachments").flatMap((attachment) => {
    const url = getText(attachment, "payload", "url");
    const isSticker = getMember(attachment, "payload", "sticker_id") !== undefined;
    if (url === undefined || isSticker || !fileKinds.has(getText(attachment, "type"))) return [];
    return [{ name: null, mediaType: null, bytes: null, location: { url } }];
  });

/** Hosts of media, the only ones that receive the access token in addition to the API. */
const mediaHosts = /^(?:[a-z0-9-]+\.)*fbsbx\.com$/;
const Media = z.object({ url: z.string() });

/** Fetches the media of a WhatsApp message by the address that the API returns, which is valid for five minutes. */
const fetchAttachment = async (
  call: DownloadCall,
  { reference: { media = "" } }: ProviderAttachment,
): Promise<DownloadedFile> => {
  const response = await callMeta(call, `/${encodeURIComponent(media)}`, "GET");
  const { url } = await readResponse(provider, response, Media);
  if (!isTrustedAddress(call.parameters, url, mediaHosts)) {
    throw new ProviderApiError("Meta returned an address that is not Meta's.");
  }
  return call.download(url, buildHeaders(call));
};

const textOfWhatsApp = (message: unknown): string | undefined =>
  getText(message, "text", "body") ??
  getText(message, "button", "text") ??
  getText(message, "interactive", "button_reply", "title") ??
  getText(message, "interactive", "list_reply", "title") ??
  mediaKinds.map((kind) => getText(message, kind, "caption")).find((text) => text !== undefined);

const readWhatsApp = (value: unknown): ReadMessage[] =>
  getList(value, "messages").flatMap((message) => {
    const [id, from] = [getText(message, "id"), getText(message, "from")];
    const number = getText(value, "metadata", "phone_number_id");
    const text = textOfWhatsApp(message) ?? "";
    const attachments = readMedia(message);
    if (!id || !from || !number || (!text && attachments.length === 0)) return [];
    const contact = getList(value, "contacts").find(
      (contact) => getText(contact, "wa_id") === from,
    );
    const name = getText(contact, "profile", "name") ?? null;
    return [
      {
        id,
        user: { id: from, name },
        conversation: { id: `${number}:${from}`, name },
        text,
        ...withAttachments(attachments),
        replyTo: { number, to: from },
      },
    ];
  });

const readMessenger = (event: unknown, object: string | undefined): ReadMessage[] => {
  const [id, from] = [getText(event, "message", "mid"), getText(event, "sender", "id")];
  const page = getText(event, "recipient", "id");
  const text = getText(event, "message", "text") ?? "";
  const attachments = readFiles(getMember(event, "message"));
  if (!id || !from || !page || getMember(event, "message", "is_echo") === true) return [];
  if (text === "" && attachments.length === 0) return [];
  return [
    {
      id,
      user: { id: from, name: null },
      conversation: { id: `${page}:${from}`, name: null },
      text,
      ...withAttachments(attachments),
      replyTo: { to: from, ...(object === "instagram" && { object }) },
    },
  ];
};

const maxWhatsAppTextLength = 4_096;
const maxMessengerTextLength = 2_000;
/** Instagram limits the UTF-8 bytes. */
const instagramLimit = { longest: 1_000, weigh: Buffer.byteLength };

const parseConversation = (id: string): { to: string; number?: string } | undefined => {
  const [, number, to] = /^(?:(\d+):)?(\d+)$/.exec(id) ?? [];
  return to === undefined ? undefined : { to, ...(number && { number }) };
};

/** Sends a text to a user; `number`: of WhatsApp. */
const sendText = async (
  call: ChatCall,
  replyTo: JsonObject | undefined,
  text: string,
): Promise<void> => {
  const to = getText(replyTo, "to") ?? "";
  const number = getText(replyTo, "number");
  await (number === undefined
    ? callMeta(call, "/me/messages", "POST", {
        recipient: { id: to },
        messaging_type: "RESPONSE",
        message: { text },
      })
    : callMeta(call, `/${encodeURIComponent(number)}/messages`, "POST", {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to,
        type: "text",
        text: { body: text },
      }));
};

/** WhatsApp (Cloud API), Messenger and Instagram: https://developers.facebook.com/docs/graph-api. */
export const chat: ChatProvider = {
  id: "meta",
  displayName: "Meta and WhatsApp",
  parameters: [
    secret("accessToken"),
    secret("appSecret", { isRequired: false }),
    secret("verifyToken", { isRequired: false }),
    apiUrlSetting,
    sourcesSetting,
  ],
  webhook,
  // The webhook provider expects both in one string; each works without the other.
  selectSecrets: ({ appSecret, verifyToken }) => ({
    signing: appSecret === undefined ? null : `${appSecret}:`,
    handshake: verifyToken === undefined ? null : `:${verifyToken}`,
  }),
  readMessages: (payload) =>
    getList(payload, "entry").flatMap((entry) => [
      ...getList(entry, "changes").flatMap((change) => readWhatsApp(getMember(change, "value"))),
      ...getList(entry, "messaging").flatMap((event) =>
        readMessenger(event, getText(payload, "object")),
      ),
    ]),
  fetchAttachment,
  buildReplyTo: parseConversation,
  textLimit: ({ replyTo }) => {
    if (getText(replyTo, "object") === "instagram") return instagramLimit;
    return {
      longest:
        getText(replyTo, "number") === undefined ? maxMessengerTextLength : maxWhatsAppTextLength,
    };
  },
  reply: (call, { message, text, sources }) =>
    sendText(call, message.replyTo, withSources(text, sources, plainSource)),
  postText: async (call, { conversationId, text }) =>
    sendText(call, requireAddress(provider, parseConversation(conversationId)), text),
  test: async (call) => {
    await callMeta(call, "/me?fields=id", "GET");
  },
};
