import { createHash } from "node:crypto";
import { ChatMessage } from "../../vendors/chat-message.ts";

/** DynamoDB items hold 400 KB. */
const maxBytes = 380_000;
/** UTF-16 units of text kept of a larger message. */
const cutText = 30_000;

/** Truncates a text without splitting a surrogate pair. */
export const clip = (text: string, length: number): string => text.slice(0, length).toWellFormed();

/**
 * Serializes a message until its user is approved, truncating a very long text. Undefined when it is still too
 * large: the user must send it again.
 */
export const keepMessage = (message: ChatMessage): string | undefined =>
  [message, { ...message, text: clip(message.text, cutText) }]
    .map((candidate) => JSON.stringify(candidate))
    .find((kept) => Buffer.byteLength(kept) <= maxBytes);

/** Parses a message serialized by `keepMessage`. */
export const readKeptMessage = (kept: string): ChatMessage => ChatMessage.parse(JSON.parse(kept));

/** Fingerprints a message: equal for a redelivery by our queue, different for any other message with the same id. */
export const messageMark = ({ id, conversation, receivedAt }: ChatMessage): string =>
  createHash("sha256")
    .update(JSON.stringify([conversation.id, id, receivedAt]))
    .digest("hex");
