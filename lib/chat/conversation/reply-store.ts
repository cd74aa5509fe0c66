import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import { chatReplyKey } from "../keys.ts";
import type { ReplyToChatMessage } from "../messages.ts";
import { AttachmentNotice } from "./attachment-notice.ts";
import type { ConversationKey } from "./conversation-key.ts";

/** Retention of a provider's message id for deduplication. */
const knownMs = 86_400_000;

/** Retention of progress: as long as a message stays in its queue and dead-letter queue. */
const keptMs = 30 * 86_400_000;

/**
 * Stored progress of replying to a message. After `until` (Unix milliseconds) the provider's id counts as a new
 * message; `ttl` in seconds.
 */
export const ChatReplyItem = z.object({
  /** Our id of the message. */
  id: z.string(),
  /** Number of reply parts sent. */
  sentParts: z.int(),
  isDone: z.boolean(),
  /** Absent for none. */
  notice: AttachmentNotice.optional(),
  until: z.int(),
  ttl: z.int(),
});
export type ChatReplyItem = z.output<typeof ChatReplyItem>;

/** A message and where its progress is stored. */
export type PlacedMessage = { message: ReplyToChatMessage; place: ConversationKey };

const hashMessage = ({ message }: ReplyToChatMessage): string => {
  const { conversation, id, repetition } = message;
  const names = JSON.stringify([conversation.id, id, ...(repetition ? [repetition] : [])]);
  return createHash("sha256").update(names).digest("hex");
};

/**
 * Claims a message for a reply and returns its progress, also when it was claimed before (`isNew` is false).
 * Undefined when the provider sent the same message within 24 hours.
 */
export const claimReply = async (
  db: Database,
  { message, place }: PlacedMessage,
  now: number,
): Promise<(ChatReplyItem & { isNew: boolean }) | undefined> => {
  const until = now + knownMs;
  const ttl = Math.ceil((now + keptMs) / 1_000);
  const reply = { id: message.id, sentParts: 0, isDone: false, until, ttl };
  const digest = hashMessage(message);
  const { written, item } = await putItem(db, {
    Item: { ...chatReplyKey(place, digest), ...reply },
    ConditionExpression: "attribute_not_exists(pk) OR (#until <= :now AND id <> :id)",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": now, ":id": message.id },
  });
  if (written) return { ...reply, isNew: true };
  const before = ChatReplyItem.parse(item);
  return before.id === message.id ? { ...before, isNew: false } : undefined;
};

/** Saves the number of reply parts sent. */
export const saveSentParts = async (
  db: Database,
  message: PlacedMessage,
  sentParts: number,
): Promise<void> => {
  await updateItem(db, buildUpdate(message, { ":sentParts": sentParts }, "sentParts = :sentParts"));
};

/** Saves what the reply must say of attachments, for an attempt after this one. */
export const saveNotice = async (
  db: Database,
  message: PlacedMessage,
  notice: AttachmentNotice,
): Promise<void> => {
  await updateItem(db, buildUpdate(message, { ":notice": notice }, "notice = :notice"));
};

/** Marks a message as replied to. */
export const finishReply = async (db: Database, message: PlacedMessage): Promise<void> => {
  await updateItem(db, buildUpdate(message, { ":isDone": true }, "isDone = :isDone"));
};

const buildUpdate = (
  { message, place }: PlacedMessage,
  values: Record<string, unknown>,
  change: string,
) => ({
  Key: chatReplyKey(place, hashMessage(message)),
  UpdateExpression: `SET ${change}`,
  ConditionExpression: "id = :id",
  ExpressionAttributeValues: { ...values, ":id": message.id },
});
