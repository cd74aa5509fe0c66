import * as z from "zod";
import type { TokenClaims } from "../../platform/auth/bot-token.ts";
import { callApi, readResponse } from "../../platform/outgoing/call-api.ts";
import { ProviderApiError, refusedBy } from "../../platform/outgoing/provider-api-error.ts";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import type { PostedMessage } from "../chat-message.ts";
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
} from "../chat-provider.ts";
import { isTrustedAddress, nameAttachment, withAttachments } from "../shared/chat/attachments.ts";
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

const provider = "Microsoft Teams";
const scope = "https://api.botframework.com/.default";
/** Hosts of the Bot Framework, the only ones that receive the bot's token. */
const serviceHosts =
  /^(smba\.trafficmanager\.net|([a-z0-9-]+\.)*(botframework\.com|botframework\.us|teams\.microsoft\.com|teams\.microsoft\.us))$/;

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() });
const renewBeforeMs = 5 * 60_000;
const maxTokens = 200;
/** Cached tokens by the request that obtained them. */
const tokens = new Map<string, { token: string; until: number }>();

const tokenFor = async ({ parameters, fetch, now }: ChatCall): Promise<string> => {
  const tenant = parameters.appTenantId ?? "botframework.com";
  const base = resolveApiUrl(parameters, "https://login.microsoftonline.com");
  const url = `${base}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
  const [client_id, client_secret] = [need(parameters, "appId"), need(parameters, "appPassword")];
  const name = JSON.stringify([url, client_id, client_secret]);
  const known = tokens.get(name);
  if (known && known.until > now) return known.token;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id,
      client_secret,
      scope,
    }).toString(),
  });
  if (!response.ok) throw refusedBy(provider, response.status);
  const issuedToken = await readResponse(provider, response, Token);
  if (tokens.size >= maxTokens) tokens.clear();
  tokens.set(name, {
    token: issuedToken.access_token,
    until: now + issuedToken.expires_in * 1_000 - renewBeforeMs,
  });
  return issuedToken.access_token;
};

/** Returns the service URL of a message if it may receive the bot's token. */
const requireServiceUrl = ({ parameters }: ChatCall, given: string): string => {
  if (isTrustedAddress(parameters, given, serviceHosts)) return trimSlashes(given);
  throw new ProviderApiError("The message names a service that is not Microsoft's.");
};

const downloadType = "application/vnd.microsoft.teams.file.download.info";

/**
 * Reads the files of a message. One that was attached is at an address of SharePoint that needs no credential for some minutes
 * (https://learn.microsoft.com/microsoftteams/platform/bots/how-to/bots-filesv4); a pasted image is at the service, for the bot
 * alone. Cards, and the copy of the text in HTML, are not files.
 */
const readFiles = (payload: unknown): ReadAttachment[] =>
  getList(payload, "attachments").flatMap((attachment): ReadAttachment[] => {
    const type = getText(attachment, "contentType") ?? "";
    const name = getText(attachment, "name") ?? null;
    if (type === downloadType) {
      const url = getText(attachment, "content", "downloadUrl");
      return url === undefined ? [] : [{ name, mediaType: null, bytes: null, location: { url } }];
    }
    const url = getText(attachment, "contentUrl");
    if (url === undefined || !/^(?:image|audio|video)\//.test(type)) return [];
    const [kind = ""] = type.split("/");
    return [
      {
        name: name ?? nameAttachment(kind, type),
        mediaType: type,
        bytes: null,
        location: { reference: { url } },
      },
    ];
  });

const fetchAttachment = async (
  call: DownloadCall,
  { reference: { url = "" } }: ProviderAttachment,
): Promise<DownloadedFile> =>
  call.download(requireServiceUrl(call, url), { authorization: `Bearer ${await tokenFor(call)}` });

const readActivity = (payload: unknown): ReadMessage | undefined => {
  if (getText(payload, "type") !== "message") return undefined;
  const from = getMember(payload, "from");
  const bot = getText(payload, "recipient", "id");
  const [id, user] = [getText(payload, "id"), getText(from, "id")];
  const conversation = getText(payload, "conversation", "id");
  const service = getText(payload, "serviceUrl");
  const text = getText(payload, "text")
    ?.replaceAll(/<at>[^<]*<\/at>/g, "")
    .trim();
  const attachments = readFiles(payload);
  if (!id || !user || !bot || !conversation || !service) return undefined;
  if (!text && attachments.length === 0) return undefined;
  if (user === bot || getText(from, "role") === "bot") return undefined;
  return {
    id,
    user: { id: findUserId(from) ?? user, name: getText(from, "name") ?? null },
    conversation: { id: conversation, name: getText(payload, "conversation", "name") ?? null },
    text: text ?? "",
    ...withAttachments(attachments),
    replyTo: { service, user, bot },
  };
};

const channel = "msteams";

/** Checks the channel and the service of an activity. The claim is lower case in tokens, unlike in the documentation. */
const isOfChannel = (claims: TokenClaims, payload: unknown): boolean => {
  if (getText(payload, "channelId") !== channel) return false;
  const claimed = claims.serviceurl ?? claims.serviceUrl;
  return typeof claimed === "string" && claimed === getMember(payload, "serviceUrl");
};

/** A card of buttons alone, below the text. */
const showButtons = (buttons: readonly ChatButton[]) => ({
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        type: "AdaptiveCard",
        version: "1.2",
        body: [],
        actions: buttons.map(({ label, data }) => ({
          type: "Action.Submit",
          title: label,
          data: { button: data },
        })),
      },
    },
  ],
});

/** The service for messages that reply to none; the conversation is at another one only for government clouds. */
const globalService = "https://smba.trafficmanager.net/teams";
const Sent = z.object({ id: z.string().min(1) });

type Activity = {
  service: string;
  conversation: string;
  /** The activity that it replies to or replaces. */
  activity?: string;
  method: "POST" | "PUT";
  body: object;
};

const sendActivity = async (
  call: ChatCall,
  { service: given, conversation, activity, method, body }: Activity,
): Promise<Response> => {
  const service = requireServiceUrl(call, given);
  const path = `/v3/conversations/${encodeURIComponent(conversation)}/activities`;
  return callApi(call.fetch, {
    provider,
    method,
    url: `${service}${path}${activity === undefined ? "" : `/${encodeURIComponent(activity)}`}`,
    headers: { authorization: `Bearer ${await tokenFor(call)}` },
    body: { type: "message", conversation: { id: conversation }, ...body },
  });
};

/** The id of a thread of a channel ends with that of its first message. */
const locate = (service: string, conversation: string, activity: string): PostedMessage => ({
  conversationId: conversation.split(";messageid=", 1).join(""),
  reference: { service, conversation, activity },
});

const findUserId = (from: unknown): string | undefined =>
  getText(from, "aadObjectId") ?? getText(from, "id");

/** https://learn.microsoft.com/microsoftteams/platform/bots/how-to/update-and-delete-bot-messages. */
const buttonMessages: ButtonMessages = {
  readPress: (payload) => {
    const from = getMember(payload, "from");
    const [id, data] = [findUserId(from), getText(payload, "value", "button")];
    if (!id || !data) return undefined;
    const conversation = getText(payload, "conversation", "id");
    const service = getText(payload, "serviceUrl");
    const activity = getText(payload, "replyToId");
    return {
      user: { id, name: getText(from, "name") ?? null },
      data,
      message:
        conversation && service && activity ? locate(service, conversation, activity) : undefined,
    };
  },
  post: async (call, { conversationId, text, buttons }) => {
    const service = resolveApiUrl(call.parameters, globalService);
    const response = await sendActivity(call, {
      service,
      conversation: conversationId,
      method: "POST",
      body: { text, ...(buttons.length > 0 && showButtons(buttons)) },
    });
    const { id } = await readResponse(provider, response, Sent);
    return locate(service, conversationId, id);
  },
  replace: async (call, { reference }, { text, buttons }) => {
    const { service = "", conversation = "", activity = "" } = reference;
    const body = { id: activity, text, ...(buttons.length > 0 && showButtons(buttons)) };
    await sendActivity(call, { service, conversation, activity, method: "PUT", body });
  },
};

/**
 * Microsoft Teams through the Bot Framework
 * (https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-send-and-receive-messages).
 */
export const chat: ChatProvider = {
  id: "teams",
  displayName: "Microsoft Teams",
  parameters: [
    chatSetting("appId"),
    secret("appPassword"),
    chatSetting("appTenantId", { isRequired: false }),
    apiUrlSetting,
    thumbsSetting,
    sourcesSetting,
  ],
  webhook: { acknowledge: () => ({ status: 200 }) },
  senderToken: {
    getAudience: (parameters) => need(parameters, "appId"),
    channel,
    covers: isOfChannel,
  },
  selectSecrets: () => ({ signing: null, handshake: null }),
  readMessages: (payload) => {
    const message = readActivity(payload);
    return message ? [message] : [];
  },
  fetchAttachment,
  buttons: buttonMessages,
  textLimit: () => ({ longest: 20_000 }),
  reply: async (call, { message, text, buttons, sources }) => {
    const part = (name: string) => getText(message.replyTo, name) ?? "";
    await sendActivity(call, {
      service: part("service"),
      conversation: message.conversation.id,
      activity: message.id,
      method: "POST",
      body: {
        from: { id: part("bot") },
        recipient: { id: part("user") },
        replyToId: message.id,
        text: withSources(text, sources, (source) => markdownSource(source), "- "),
        ...(buttons && showButtons(buttons)),
      },
    });
  },
  test: async (call) => {
    await tokenFor(call);
  },
};
