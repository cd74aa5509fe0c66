import { createHash } from "node:crypto";
import { ChatMessage } from "../conversation/message.ts";

/** An item holds 400 KB. */
const mostBytes = 380_000;
/** Of a message that does not fit, this much of its text is kept, in UTF-16 units. */
const cutText = 30_000;

/** The beginning of a text, never ending in half of a character. */
export const clip = (text: string, length: number): string => text.slice(0, length).toWellFormed();

/**
 * A message as it is kept until its user is let in. The text of a very long one is cut. Undefined for one that is
 * too large all the same: its user has to write again.
 */
export const keepMessage = (message: ChatMessage): string | undefined =>
  [message, { ...message, text: clip(message.text, cutText) }]
    .map((each) => JSON.stringify(each))
    .find((kept) => Buffer.byteLength(kept) <= mostBytes);

/** The message that was kept. */
export const readKeptMessage = (kept: string): ChatMessage => ChatMessage.parse(JSON.parse(kept));

/** Tells a message that our own queue brings again from any other one, also one that bears the same id. */
export const messageMark = ({ id, conversation, receivedAt }: ChatMessage): string =>
  createHash("sha256")
    .update(JSON.stringify([conversation.id, id, receivedAt]))
    .digest("hex");
