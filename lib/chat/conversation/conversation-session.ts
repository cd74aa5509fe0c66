import { createHash } from "node:crypto";
import type { RequestedSession } from "../../executions/start/plan-start.ts";
import type { ChatMessage } from "../../vendors/chat-message.ts";

/** Longest ids of a session and of its end user. */
const [maxIdLength, maxUserLength] = [128, 256];

const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text);

/** Returns the id of a conversation's session: connector and conversation, or a digest of an id that is too long. */
const toSessionId = (connectorId: string, conversationId: string): string => {
  const id = `${connectorId}:${conversationId}`;
  if (id.length <= maxIdLength && isPlain(id)) return id;
  return `${connectorId}:${createHash("sha256").update(conversationId).digest("hex")}`;
};

/** Returns the session of a message's conversation. Its end user is the first who writes in it. */
export const toConversationSession = (
  connectorId: string,
  { conversation, user }: Pick<ChatMessage, "conversation" | "user">,
): RequestedSession => ({
  id: toSessionId(connectorId, conversation.id),
  endUserId: user.id.length <= maxUserLength && isPlain(user.id) ? user.id : undefined,
  isOneUsers: false,
  whenBusy: "wait",
  until: 0,
});
