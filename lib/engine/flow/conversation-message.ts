import * as z from "zod";

/** An earlier message of a conversation. */
export const ConversationMessage = z.object({
  role: z.enum(["user", "assistant"]),
  text: z.string(),
});
export type ConversationMessage = z.output<typeof ConversationMessage>;
