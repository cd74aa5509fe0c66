import type { JsonObject } from "../../json/json.ts";
import type { PlainFetch } from "../../platform/outgoing/patient-fetch.ts";
import type { WebhookProvider } from "../../webhooks/providers/provider.ts";
import type { ChatProviderId } from "../connector/schemas.ts";
import type { ChatMessage } from "../conversation/message.ts";
import type { TextLimit } from "../conversation/split-text.ts";

/** Parameters of a connector by name, credentials among them. */
export type ChatParameters = Readonly<Record<string, string>>;

/** One thing that a provider needs to know. */
export type ChatParameter = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Credentials are kept encrypted and never shown. */
  readonly isSecret: boolean;
  /** What is wrong with a value; undefined when nothing is. */
  readonly check?: (value: string) => string | undefined;
  /** Says that it is an address, which is checked as all that are kept to be called. */
  readonly address?: { readonly mayHaveQuery: boolean };
};

/** A message as its provider tells it; when it came is known where it was taken in. */
export type ReadMessage = Omit<ChatMessage, "receivedAt">;

/** What calling a provider's API needs. */
export type ChatCall = {
  readonly connectorId: string;
  readonly parameters: ChatParameters;
  readonly fetch: PlainFetch;
  /** Unix milliseconds. */
  readonly now: number;
};

/** A part of an answer, and what it answers. */
export type Reply = {
  readonly message: ChatMessage;
  readonly text: string;
  /** The same when this part is sent again. */
  readonly id: string;
};

/** The claims of a token that was verified. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** How a token of the Bot Framework vouches for a message. */
export type SenderToken = {
  /** The audience that the token must have. */
  audienceOf(parameters: ChatParameters): string;
  /** Whether the token was issued for what the message says of its origin. */
  covers(claims: TokenClaims, payload: unknown): boolean;
};

/**
 * A source of chat messages, one file each. Reading never throws, whatever the payload; calls throw
 * RegistrationErrors and OutgoingErrors, whose messages hold neither credentials nor the provider's body.
 */
export type ChatProvider = {
  readonly id: ChatProviderId;
  readonly displayName: string;
  readonly parameters: readonly ChatParameter[];
  /** How the provider signs, checks the address and wants to be answered. */
  readonly webhook: Partial<Pick<WebhookProvider, "signing" | "handshake" | "acknowledge">>;
  /** Of a provider that sends a token in place of a signature. */
  readonly senderToken?: SenderToken;
  /** What signatures are checked with, and what a check of the address is; null where it is not set. */
  secretsOf(parameters: ChatParameters): { signing: string | null; handshake: string | null };
  /** What people say in a delivery; nothing of what the bot said itself, of edits, or of who came and went. */
  readMessages(payload: unknown): readonly ReadMessage[];
  /** What is wrong with a delivery, by JSON pointer; for senders that can be told. */
  findProblems?(payload: unknown): readonly { pointer: string; detail: string }[];
  /**
   * What an answer needs where nothing is known of a message but its conversation's id; undefined for an id that
   * is none of a conversation. A provider without it answers only what it told itself.
   */
  replyToOf?(conversationId: string): JsonObject | undefined;
  /** How long a text may be; longer answers are sent in parts. */
  textLimit(message: ChatMessage): TextLimit;
  reply(call: ChatCall, reply: Reply): Promise<void>;
  /** Makes a call that shows whether the credentials are good. */
  test(call: ChatCall): Promise<void>;
};
