import { createHash } from "node:crypto";
import type { ReplyToChatMessage } from "./messages.ts";

/**
 * Returns the queue group of a message: replies within one conversation keep the order of messages.
 */
export const chatGroup = ({
  connectorId,
  message: { conversation },
}: Pick<ReplyToChatMessage, "connectorId" | "message">): string =>
  createHash("sha256")
    .update(JSON.stringify([connectorId, conversation.id]))
    .digest("hex");
