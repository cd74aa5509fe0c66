import * as z from "zod";
import type { JsonObject } from "../../json/json.ts";

/** What a chat provider needs to have a message answered, such as a thread; in its own words. */
const ReplyTo = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** A message of a chat user, whatever it came through. */
export const ChatMessage = z.object({
  /** The provider's own id of the message. */
  id: z.string(),
  /** Tells it from others of the same id that are to be answered as well, such as before a replay. */
  repetition: z.string().optional(),
  user: z.object({ id: z.string(), name: z.string().nullable() }),
  conversation: z.object({ id: z.string(), name: z.string().nullable() }),
  text: z.string(),
  /** When we took it in, Unix milliseconds. */
  receivedAt: z.int(),
  replyTo: ReplyTo.optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;
