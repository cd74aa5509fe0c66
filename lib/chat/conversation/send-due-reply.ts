import type { SendChatReplyMessage } from "../../executions/messages.ts";
import { type ChatReplyDeps, replyToMessage } from "./reply-to-message.ts";
import { takeWaitingMessage } from "./waiting-store.ts";

/**
 * Replies to the message of an execution that waited and is about to end. Without a stored message its first worker has not
 * finished, and replies itself. Idempotent as `replyToMessage` is.
 */
export const sendDueReply = async (
  deps: ChatReplyDeps,
  { message, deadline }: { message: SendChatReplyMessage; deadline: number },
): Promise<void> => {
  const waiting = await takeWaitingMessage(deps.db, message, message.executionId);
  if (waiting) await replyToMessage(deps, { message: waiting, deadline });
};
