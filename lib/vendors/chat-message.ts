import * as z from "zod";
import type { JsonObject } from "../values/json/json.ts";

/** The provider's own data for replying to a message, such as a thread. */
const ReplyTo = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** Where the content of an attachment is: at a public address, in a stored file, or at the provider by its own ids. */
const AttachmentLocation = z.union([
  z.object({ url: z.string() }),
  z.object({ fileId: z.string() }),
  z.object({ reference: z.record(z.string(), z.string()) }),
]);

/** An attachment of a message, without its content. Name, media type and size are those that the provider declares. */
export const ChatAttachment = z.object({
  name: z.string().nullable(),
  mediaType: z.string().nullable(),
  bytes: z.int().nullable(),
  location: AttachmentLocation,
});
export type ChatAttachment = z.output<typeof ChatAttachment>;

/** A chat user's message, independent of its provider. */
export const ChatMessage = z.object({
  /** The provider's message id. */
  id: z.string(),
  /** Distinguishes messages with the same id that get another reply, such as by a replay. */
  repetition: z.string().optional(),
  user: z.object({ id: z.string(), name: z.string().nullable() }),
  conversation: z.object({ id: z.string(), name: z.string().nullable() }),
  /** Empty for a message that has attachments only. */
  text: z.string(),
  /** At most 20; absent for none. */
  attachments: z.array(ChatAttachment).optional(),
  /** Number of further attachments; absent for none. */
  omittedAttachments: z.int().optional(),
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
