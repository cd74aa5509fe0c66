import { getMember, getText } from "../../../lib/vendors/shared/webhook/payload-members.ts";
import type { ApiRequest, ApiResponse } from "../listener-apis/listener-api.ts";

/** Credentials that the fakes accept. */
export const good = {
  slack: "xoxb-good",
  telegram: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
  discord: "discord-good",
  meta: "EAA-good",
  teams: "teams-good",
} as const;

/** A message that the provider shows; `replaces`: one that was shown before. */
export type Shown = { to: string; text: string; thread?: string; replaces?: string };

/** Shows a message in a chat; not again one with the same nonce. */
export type Show = (shown: Shown, nonce?: string) => void;

/** A fake of a provider's API for replies; undefined for requests of other APIs. */
export type ChatApi = (request: ApiRequest, show: Show) => ApiResponse | undefined;

const bearer = ({ headers }: ApiRequest): string | undefined =>
  headers.authorization?.replace(/^(Bearer|Bot) /, "");

/** https://docs.slack.dev/reference/methods/chat.postMessage, which always returns 200; and a response_url. */
const slack: ChatApi = (request, show) => {
  const { path, body } = request;
  if (path.startsWith("/slack/commands/")) {
    if (path.endsWith("/used")) return { status: 404, body: { ok: false, error: "used_url" } };
    show({ to: `${getText(body, "response_type")}`, text: getText(body, "text") ?? "" });
    return { status: 200, body: { ok: true } };
  }
  const method = /^\/slack\/(chat\.postMessage|chat\.update|auth\.test)$/.exec(path)?.[1];
  if (method === undefined) return undefined;
  if (bearer(request) !== good.slack)
    return { status: 200, body: { ok: false, error: "invalid_auth" } };
  if (path.endsWith("auth.test")) return { status: 200, body: { ok: true } };
  const [to, text] = [getText(body, "channel"), getText(body, "text")];
  if (!to || !text) return { status: 200, body: { ok: false, error: "no_text" } };
  if (text.length > 40_000) return { status: 200, body: { ok: false, error: "msg_too_long" } };
  if (method === "chat.update") {
    const ts = getText(body, "ts");
    if (!ts) return { status: 200, body: { ok: false, error: "message_not_found" } };
    show({ to, text, replaces: ts });
    return { status: 200, body: { ok: true, channel: to, ts } };
  }
  const thread = getText(body, "thread_ts");
  show({ to, text, ...(thread && { thread }) });
  return { status: 200, body: { ok: true, channel: to, ts: "1503435956.000247" } };
};

/** https://core.telegram.org/bots/api#sendmessage. */
const telegram: ChatApi = ({ path, body }, show) => {
  const [, token, method] = /^\/telegram\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
  if (token === undefined) return undefined;
  const refuse = (status: number, description: string) => ({
    status,
    body: { ok: false, error_code: status, description },
  });
  if (token !== good.telegram) return refuse(401, "Unauthorized");
  if (method === "getMe") return { status: 200, body: { ok: true, result: { id: 1 } } };
  const [to, text] = [getText(body, "chat_id"), getText(body, "text")];
  if (!to || !text) return refuse(400, "Bad Request: message text is empty");
  if (text.length > 4_096) return refuse(400, "Bad Request: message is too long");
  const replaces = method === "editMessageText" ? getText(body, "message_id") : undefined;
  if (replaces && text.endsWith("(same)")) {
    return refuse(400, "Bad Request: message is not modified: specified new message content is");
  }
  show({ to, text, ...(replaces && { replaces }) });
  const chat = { id: Number(to) };
  return { status: 200, body: { ok: true, result: { message_id: 2, chat } } };
};

/** https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages. */
const discord: ChatApi = (request, show) => {
  const { path, body } = request;
  if (path === "/discord/users/@me") {
    return bearer(request) === good.discord ? { status: 200, body: {} } : { status: 401, body: {} };
  }
  const [, application, token] = /^\/discord\/webhooks\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const [, channel, replaces] =
    /^\/discord\/channels\/([^/]+)\/messages(?:\/([^/]+))?$/.exec(path) ?? [];
  const text = getText(body, "content") ?? "";
  if (application === undefined && channel === undefined) return undefined;
  if (text.length === 0 || text.length > 2_000) return { status: 400, body: { code: 50035 } };
  if (token === "expired") return { status: 401, body: { code: 50027 } };
  if (channel !== undefined && bearer(request) !== good.discord) return { status: 401, body: {} };
  if ((replaces === undefined) !== (request.method === "POST")) return { status: 405, body: {} };
  const nonce = getText(body, "nonce");
  if (nonce !== undefined && (channel === undefined || nonce.length > 25)) {
    return { status: 400, body: { code: 50035 } };
  }
  const shown = { to: channel ?? `${application}/${token}`, text, ...(replaces && { replaces }) };
  show(shown, getMember(body, "enforce_nonce") === true ? nonce : undefined);
  return { status: 200, body: { id: "1", channel_id: channel } };
};

/** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages, and Messenger's. */
const meta: ChatApi = (request, show) => {
  const { path, body } = request;
  if (!path.startsWith("/meta/")) return undefined;
  if (bearer(request) !== good.meta) {
    return { status: 401, body: { error: { code: 190, message: "Invalid OAuth access token" } } };
  }
  if (path === "/meta/me") return { status: 200, body: { id: "1" } };
  const whatsApp = getMember(body, "messaging_product") === "whatsapp";
  const to = getText(body, "to") ?? getText(body, "recipient", "id");
  const text = getText(body, "text", "body") ?? getText(body, "message", "text");
  const longest = whatsApp ? 4_096 : 2_000;
  if (!to || !text || text.length > longest) return { status: 400, body: { error: { code: 100 } } };
  show({ to: `${path.split("/")[2]}:${to}`, text });
  return { status: 200, body: { messages: [{ id: "wamid.1" }] } };
};

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication. */
const teams: ChatApi = (request, show) => {
  const { path, body } = request;
  if (/^\/teams\/[^/]+\/oauth2\/v2.0\/token$/.test(path)) {
    const isRight =
      getText(body, "client_secret") === good.teams &&
      getText(body, "grant_type") === "client_credentials" &&
      getText(body, "scope") === "https://api.botframework.com/.default";
    return isRight
      ? { status: 200, body: { token_type: "Bearer", expires_in: 3600, access_token: "token-1" } }
      : { status: 401, body: { error: "invalid_client" } };
  }
  const [, to, activity] =
    /^\/teams(?:\/service)?\/v3\/conversations\/([^/]+)\/activities(?:\/([^/]+))?$/.exec(path) ??
    [];
  if (to === undefined) return undefined;
  if (bearer(request) !== "token-1") return { status: 401, body: {} };
  const text = getText(body, "text");
  if (!text || getText(body, "type") !== "message") return { status: 400, body: {} };
  const replaces = request.method === "PUT" ? activity : undefined;
  show({ to: decodeURIComponent(to), text, ...(replaces && { replaces }) });
  return { status: 200, body: { id: "1" } };
};

/** The receiver of a generic connector's replies. */
const generic: ChatApi = ({ path, body }, show) => {
  if (path !== "/replies") return undefined;
  const text = getText(body, "text");
  if (text !== undefined) show({ to: getText(body, "conversationId") ?? "", text });
  return { status: 204 };
};

/** All fakes; the first that recognizes a request responds. */
export const chatApis: readonly ChatApi[] = [slack, telegram, discord, meta, teams, generic];
