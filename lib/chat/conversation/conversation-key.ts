import { createHash } from "node:crypto";
import type { ConversationPartition } from "../keys.ts";
import type { ReplyToChatMessage } from "../messages.ts";

/** Where the progress of a message and the turns of its conversation are stored. */
export type ConversationKey = ConversationPartition & {
  /** Digest of the conversation's id. */
  conversation: string;
};

/** Returns the place of a message's conversation: one of 16 partitions of its connector. */
export const toConversationKey = ({
  tenantId,
  connectorId,
  message,
}: ReplyToChatMessage): ConversationKey => {
  const conversation = createHash("sha256").update(message.conversation.id).digest("hex");
  return { tenantId, connectorId, shard: conversation.slice(0, 1), conversation };
};
