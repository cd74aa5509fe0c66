import { callApi } from "../../platform/outgoing/call-api.ts";
import type { JsonObject } from "../../values/json/json.ts";
import type { ChatCall, ChatProvider, ReadMessage } from "../chat-provider.ts";
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
): Promise<void> => {
  await callApi(call.fetch, {
    provider: "Meta",
    method,
    url: `${resolveApiUrl(call.parameters, base)}${path}`,
    headers: { authorization: `Bearer ${need(call.parameters, "accessToken")}` },
    ...(body && { body }),
    readStatus,
  });
};

const textOfWhatsApp = (message: unknown): string | undefined =>
  getText(message, "text", "body") ??
  getText(message, "button", "text") ??
  getText(message, "interactive", "button_reply", "title") ??
  getText(message, "interactive", "list_reply", "title") ??
  getText(message, "image", "caption");

const readWhatsApp = (value: unknown): ReadMessage[] =>
  getList(value, "messages").flatMap((message) => {
    const [id, from] = [getText(message, "id"), getText(message, "from")];
    const number = getText(value, "metadata", "phone_number_id");
    const text = textOfWhatsApp(message);
    if (!id || !from || !number || !text) return [];
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
        replyTo: { number, to: from },
      },
    ];
  });

const readMessenger = (event: unknown, object: string | undefined): ReadMessage[] => {
  const [id, from] = [getText(event, "message", "mid"), getText(event, "sender", "id")];
  const page = getText(event, "recipient", "id");
  const text = getText(event, "message", "text");
  if (!id || !from || !page || !text || getMember(event, "message", "is_echo") === true) return [];
  return [
    {
      id,
      user: { id: from, name: null },
      conversation: { id: `${page}:${from}`, name: null },
      text,
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
const sendText = (call: ChatCall, replyTo: JsonObject | undefined, text: string): Promise<void> => {
  const to = getText(replyTo, "to") ?? "";
  const number = getText(replyTo, "number");
  return number === undefined
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
      });
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
    sendText(call, requireAddress("Meta", parseConversation(conversationId)), text),
  test: (call) => callMeta(call, "/me?fields=id", "GET"),
};
