import { createHash } from "node:crypto";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";

/** The group of a message on the queue `chats`: of what shares it, one is answered after the other. */
export const chatGroup = ({
  connectorId,
  message: { conversation },
}: Pick<AnswerChatMessage, "connectorId" | "message">): string =>
  createHash("sha256")
    .update(JSON.stringify([connectorId, conversation.id]))
    .digest("hex");
