import type { TokenClaims } from "../platform/auth/bot-token.ts";
import type { PlainFetch } from "../platform/outgoing/retrying-fetch.ts";
import type { JsonObject } from "../values/json/json.ts";
import type { ChatAttachment, ChatMessage, PostedMessage } from "./chat-message.ts";
import type { WebhookProvider } from "./webhook-provider.ts";

/** A connector's parameters by name, including credentials. */
export type ChatParameters = Readonly<Record<string, string>>;

/** Definition of a provider's parameter. */
export type ChatParameter = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Credentials are stored encrypted and never shown. */
  readonly isSecret: boolean;
  /** Returns the problem of a value, if any. */
  readonly check?: (value: string) => string | undefined;
  /** Marks a URL that is called and therefore checked. */
  readonly address?: { readonly mayHaveQuery: boolean };
};

/** An attachment as parsed from its provider's payload, which may have its content in base64. */
export type ReadAttachment = Omit<ChatAttachment, "location"> & {
  readonly location: ChatAttachment["location"] | { readonly base64: string };
};

/** A message as parsed from its provider's payload. */
export type ReadMessage = Omit<ChatMessage, "receivedAt" | "attachments" | "omittedAttachments"> & {
  readonly attachments?: readonly ReadAttachment[];
};

/** A message that gets a reply. */
export type RepliedMessage = Omit<ChatMessage, "attachments" | "omittedAttachments">;

/** A button below a message. Its data has at most 64 bytes, Telegram's limit, and its label 75 characters, Slack's. */
export type ChatButton = { readonly label: string; readonly data: string };

/** Maximum buttons of a message. */
export const maxButtons = 6;

/** A press of a button: who, the data of the button, and the message that it is below, if the payload names it. */
export type ButtonPress = {
  readonly user: { readonly id: string; readonly name: string | null };
  readonly data: string;
  readonly message: PostedMessage | undefined;
};

/** A text and the buttons below it. */
export type ChatContent = { readonly text: string; readonly buttons: readonly ChatButton[] };

/** A message that replies to none. */
export type ChatPost = ChatContent & {
  readonly conversationId: string;
  /** Stable when the message is sent again. */
  readonly id: string;
};

/** Messages with buttons. */
export type ButtonMessages = {
  /** Parses a press of a button. Never throws. */
  readPress(payload: unknown): ButtonPress | undefined;
  /** Posts a message into a conversation. */
  post(call: ChatCall, post: ChatPost): Promise<PostedMessage>;
  /** Replaces the text and the buttons of a message. Idempotent. */
  replace(call: ChatCall, message: PostedMessage, content: ChatContent): Promise<void>;
};

/** Maximum weight of a text and the weight of a character; by default its UTF-16 units. */
export type TextLimit = { longest: number; weigh?: (character: string) => number };

/** Input of a call to a provider's API. */
export type ChatCall = {
  readonly connectorId: string;
  readonly parameters: ChatParameters;
  readonly fetch: PlainFetch;
  /** Unix milliseconds. */
  readonly now: number;
};

/** A file as its server sent it; `mediaType`: as the server declared it. */
export type DownloadedFile = {
  readonly content: Uint8Array;
  readonly name: string;
  readonly mediaType: string | undefined;
};

/** Input of fetching an attachment. */
export type DownloadCall = ChatCall & {
  /**
   * Downloads a file within the limits of size and time. Follows redirects, to another origin without credentials in
   * `headers`. Throws ProviderApiErrors and OutgoingErrors.
   */
  readonly download: (
    url: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<DownloadedFile>;
};

/** An attachment that its provider has. */
export type ProviderAttachment = {
  /** The provider's own ids, from `readMessages`. */
  readonly reference: Readonly<Record<string, string>>;
  readonly mediaType: string | null;
};

/** A document behind a reply, and its address on the web. */
export type ReplySource = { readonly title: string; readonly link: string | null };

/** Documents to list below a reply. */
export type ReplySources = { readonly heading: string; readonly items: readonly ReplySource[] };

/** A part of a reply and the message it replies to. */
export type ChatReply = {
  readonly message: RepliedMessage;
  /** Empty for a part that has sources only. */
  readonly text: string;
  /** Stable when this part is sent again. */
  readonly id: string;
  /** Shown below this part; absent for none, and for a provider without buttons. */
  readonly buttons?: readonly ChatButton[] | undefined;
  /** Listed below this part; absent for none. */
  readonly sources?: ReplySources | undefined;
};

/** Verifies the sender by a Bot Framework token. */
export type SenderToken = {
  /** The Bot Framework's channel that the token must be for. */
  readonly channel: string;
  /** Returns the expected audience of the token. */
  getAudience(parameters: ChatParameters): string;
  /** Returns whether the claims match the message's origin. */
  covers(claims: TokenClaims, payload: unknown): boolean;
};

/**
 * A chat provider. Parsing never throws; calls throw ProviderApiErrors and OutgoingErrors without
 * credentials or the provider's response body in their messages.
 */
export type ChatProvider = {
  /** The vendor's folder. */
  readonly id: string;
  readonly displayName: string;
  readonly parameters: readonly ChatParameter[];
  /** Signature, URL verification and response format. */
  readonly webhook: Partial<Pick<WebhookProvider, "signing" | "handshake" | "acknowledge">>;
  /** Set for a provider that sends a token instead of a signature. */
  readonly senderToken?: SenderToken;
  /** Secrets for signatures and URL verification; null where not set. */
  selectSecrets(parameters: ChatParameters): { signing: string | null; handshake: string | null };
  /** Parses the messages of people; skips the bot's own messages, edits and membership changes. */
  readMessages(payload: unknown): readonly ReadMessage[];
  /** Fetches an attachment with the bot's credential, which only hosts of the provider receive. */
  fetchAttachment?(call: DownloadCall, attachment: ProviderAttachment): Promise<DownloadedFile>;
  /** Only for providers that show buttons. */
  readonly buttons?: ButtonMessages;
  /** Posts a text into a conversation; only for providers without buttons. */
  postText?(call: ChatCall, post: Omit<ChatPost, "buttons">): Promise<void>;
  /** Returns the validation problems of a delivery; only for senders that read the response. */
  findProblems?(payload: unknown): readonly { pointer: string; detail: string }[];
  /**
   * Derives the reply data from a conversation id; undefined for an invalid id. A provider without it can reply
   * only to its own messages.
   */
  buildReplyTo?(conversationId: string): JsonObject | undefined;
  /** Maximum text length; longer replies are sent in parts. */
  textLimit(message: RepliedMessage): TextLimit;
  reply(call: ChatCall, reply: ChatReply): Promise<void>;
  /** Calls the API to test the credentials. */
  test(call: ChatCall): Promise<void>;
};
