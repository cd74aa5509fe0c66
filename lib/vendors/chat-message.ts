import * as z from "zod";
import type { JsonObject } from "../values/json/json.ts";

/** The provider's own data for replying to a message, such as a thread. */
const ReplyTo = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** A chat user's message, independent of its provider. */
export const ChatMessage = z.object({
  /** The provider's message id. */
  id: z.string(),
  /** Distinguishes messages with the same id that get another reply, such as by a replay. */
  repetition: z.string().optional(),
  user: z.object({ id: z.string(), name: z.string().nullable() }),
  conversation: z.object({ id: z.string(), name: z.string().nullable() }),
  text: z.string(),
  /** When it was received, Unix milliseconds. */
  receivedAt: z.int(),
  replyTo: ReplyTo.optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

/** Where a message of the bot is found again. */
export const PostedMessage = z.object({
  /** As a press of its buttons names it. */
  conversationId: z.string(),
  /** The provider's own ids of the message. */
  reference: z.record(z.string(), z.string()),
});
export type PostedMessage = z.output<typeof PostedMessage>;
