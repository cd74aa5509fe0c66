import type { ReadMessage } from "../../vendors/chat-provider.ts";

const maxIdLength = 512;
const maxNameLength = 512;
const maxTextLength = 100_000;

/** Replaces characters that SQS rejects. */
const clean = (text: string): string => text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD");
const clip = (text: string, length: number): string => clean(text.slice(0, length));
const clipName = (name: string | null): string | null => name && clip(name, maxNameLength);

/** Prepares a message for the queue, truncating the text to 100,000 characters. Undefined for ids that are too long. */
export const normalizeMessage = (message: ReadMessage): ReadMessage | undefined => {
  const { id, user, conversation, text } = message;
  if ([id, user.id, conversation.id].some((value) => value.length > maxIdLength)) return undefined;
  return {
    ...message,
    id: clean(id),
    user: { id: clean(user.id), name: clipName(user.name) },
    conversation: { id: clean(conversation.id), name: clipName(conversation.name) },
    text: clip(text, maxTextLength),
  };
};
