import { createHash } from "node:crypto";
import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { chatAnswerKey, type Key } from "../../platform/db/keys.ts";
import { type TransactionWrite, transact } from "../../platform/db/transact.ts";
import type { AnswerChatMessage } from "../../platform/queue/messages.ts";

/** How long a provider's own message id is known. */
const knownMs = 86_400_000;
/** How long it is known how far an answer came: as long as a message may wait on its queue and as a dead letter. */
const keptMs = 30 * 86_400_000;

/**
 * How far the answer to a message came, as it is stored. Another message of the same provider's id is new from
 * `until` on, Unix milliseconds; `ttl` in seconds.
 */
export const ChatAnswerItem = z.object({
  /** Our id of the message. */
  id: z.string(),
  /** How many parts of the answer were sent. */
  sentParts: z.int(),
  isDone: z.boolean(),
  until: z.int(),
  ttl: z.int(),
});
export type ChatAnswerItem = z.output<typeof ChatAnswerItem>;

const keyOf = ({ tenantId, connectorId, message }: AnswerChatMessage): Key => {
  const { conversation, id, repetition } = message;
  const names = JSON.stringify([conversation.id, id, ...(repetition ? [repetition] : [])]);
  const digest = createHash("sha256").update(names).digest("hex");
  return chatAnswerKey(tenantId, connectorId, digest);
};

/**
 * Begins the answer to a message, unless it was begun before, however long ago: it then says how far it came.
 * Undefined when the provider sent the same message before, within 24 hours.
 */
export const beginAnswer = async (
  db: Database,
  message: AnswerChatMessage,
  now: number,
): Promise<ChatAnswerItem | undefined> => {
  const until = now + knownMs;
  const ttl = Math.ceil((now + keptMs) / 1_000);
  const answer = { id: message.id, sentParts: 0, isDone: false, until, ttl };
  const Key = keyOf(message);
  try {
    await db.client.send(
      new PutCommand({
        TableName: db.table,
        Item: { ...Key, ...answer },
        ConditionExpression: "attribute_not_exists(pk) OR (#until <= :now AND id <> :id)",
        ExpressionAttributeNames: { "#until": "until" },
        ExpressionAttributeValues: { ":now": now, ":id": message.id },
      }),
    );
    return answer;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.table, Key, ConsistentRead: true }),
  );
  const before = ChatAnswerItem.parse(Item);
  return before.id === message.id ? before : undefined;
};

/** Notes that so many parts of the answer were sent. */
export const noteSentParts = async (
  db: Database,
  message: AnswerChatMessage,
  sentParts: number,
): Promise<void> => {
  await transact(db, [noteOf(message, { ":sentParts": sentParts }, "sentParts = :sentParts")]);
};

/** Notes that there is nothing left to do for a message, together with what was said where that is kept. */
export const finishAnswer = async (
  db: Database,
  message: AnswerChatMessage,
  turn: TransactionWrite | undefined,
): Promise<void> => {
  const note = noteOf(message, { ":isDone": true }, "isDone = :isDone");
  await transact(db, turn ? [note, turn] : [note]);
};

const noteOf = (
  message: AnswerChatMessage,
  values: Record<string, unknown>,
  change: string,
): TransactionWrite => ({
  Update: {
    Key: keyOf(message),
    UpdateExpression: `SET ${change}`,
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: { ...values, ":id": message.id },
  },
});
