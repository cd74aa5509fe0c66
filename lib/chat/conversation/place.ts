import { createHash } from "node:crypto";
import { timeOfUuid } from "../../platform/runtime/runtime.ts";
import type { ConversationShard } from "../keys.ts";
import type { AnswerChatMessage } from "../messages.ts";

/** How long a provider's message id is deduplicated. */
export const knownMs = 86_400_000;
/** How long turns are stored. */
export const turnsKeptMs = 30 * 86_400_000;

/** Where the progress of a message and the turns of its conversation are stored. */
export type ConversationPlace = ConversationShard & {
  /** Digest of the conversation's id. */
  conversation: string;
  /**
   * The connector's own partition, where messages from before its conversations were spread may have items: progress
   * for another day, turns for another 30 days.
   */
  earlier?: { shard: ConversationShard; answersUntil: number; turnsUntil: number };
};

/**
 * Returns the place of a message: one of 16 partitions by its conversation; the connector's own for messages
 * received before `spreadFrom` (Unix milliseconds), so that every attempt to answer one finds the same items.
 */
export const placeOf = (
  { tenantId, connectorId, id, message }: AnswerChatMessage,
  spreadFrom: number,
): ConversationPlace => {
  const conversation = createHash("sha256").update(message.conversation.id).digest("hex");
  const own = { tenantId, connectorId };
  if (timeOfUuid(id) < spreadFrom) return { ...own, conversation };
  const answersUntil = spreadFrom + knownMs;
  const turnsUntil = spreadFrom + turnsKeptMs;
  const shard = conversation.slice(0, 1);
  return { ...own, shard, conversation, earlier: { shard: own, answersUntil, turnsUntil } };
};
