import { createHash } from "node:crypto";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import { putItem, updateItem } from "../../platform/db/write-item.ts";
import { chatAnswerKey } from "../keys.ts";
import type { AnswerChatMessage } from "../messages.ts";
import type { ConversationPlace } from "./place.ts";

/** How long a provider's message id is deduplicated. */
const knownMs = 86_400_000;

/** How long progress is stored: as long as a message stays in its queue and dead-letter queue. */
const keptMs = 30 * 86_400_000;

/**
 * Stored progress of answering a message. After `until` (Unix milliseconds) the provider's id counts as a new
 * message; `ttl` in seconds.
 */
export const ChatAnswerItem = z.object({
  /** Our id of the message. */
  id: z.string(),
  /** Number of reply parts sent. */
  sentParts: z.int(),
  isDone: z.boolean(),
  until: z.int(),
  ttl: z.int(),
});
export type ChatAnswerItem = z.output<typeof ChatAnswerItem>;

/** A message and where its progress is stored. */
export type PlacedMessage = { message: AnswerChatMessage; place: ConversationPlace };

const hashMessage = ({ message }: AnswerChatMessage): string => {
  const { conversation, id, repetition } = message;
  const names = JSON.stringify([conversation.id, id, ...(repetition ? [repetition] : [])]);
  return createHash("sha256").update(names).digest("hex");
};

/**
 * Claims a message for answering and returns its progress, also when it was claimed before (`isNew` is false).
 * Undefined when the provider sent the same message within 24 hours.
 */
export const claimAnswer = async (
  db: Database,
  { message, place }: PlacedMessage,
  now: number,
): Promise<(ChatAnswerItem & { isNew: boolean }) | undefined> => {
  const until = now + knownMs;
  const ttl = Math.ceil((now + keptMs) / 1_000);
  const answer = { id: message.id, sentParts: 0, isDone: false, until, ttl };
  const digest = hashMessage(message);
  const { written, item } = await putItem(db, {
    Item: { ...chatAnswerKey(place, digest), ...answer },
    ConditionExpression: "attribute_not_exists(pk) OR (#until <= :now AND id <> :id)",
    ExpressionAttributeNames: { "#until": "until" },
    ExpressionAttributeValues: { ":now": now, ":id": message.id },
  });
  if (written) return { ...answer, isNew: true };
  const before = ChatAnswerItem.parse(item);
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

/** Marks a message as answered, together with its turn where the conversation is stored. */
export const finishAnswer = async (
  db: Database,
  message: PlacedMessage,
  turn: TransactionWrite | undefined,
): Promise<void> => {
  const update = buildUpdate(message, { ":isDone": true }, "isDone = :isDone");
  if (turn) await transact(db, [{ Update: update }, turn]);
  else await updateItem(db, update);
};

const buildUpdate = (
  { message, place }: PlacedMessage,
  values: Record<string, unknown>,
  change: string,
) => ({
  Key: chatAnswerKey(place, hashMessage(message)),
  UpdateExpression: `SET ${change}`,
  ConditionExpression: "id = :id",
  ExpressionAttributeValues: { ...values, ":id": message.id },
});
