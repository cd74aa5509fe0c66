import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { deleteItem, putItem, updateItem } from "../../platform/db/write-item.ts";
import { type ConversationPartition, waitingMessageKey } from "../keys.ts";
import { ReplyToChatMessage } from "../messages.ts";

/** Days for which a message is kept: the longest wait, and 30 days for what may delay its end. */
const keptDays = 395;
const daySeconds = 86_400;

const WaitingItem = z.object({
  /** An `ReplyToChatMessage` as JSON. */
  message: z.string().transform((message) => ReplyToChatMessage.parse(JSON.parse(message))),
});

const toKey = ({ tenantId, connectorId }: Ids, executionId: string) =>
  waitingMessageKey({ tenantId, connectorId, shard: executionId.slice(-1) }, executionId);

type Ids = Pick<ConversationPartition, "tenantId" | "connectorId">;

/**
 * TENANT#t#CONNECTOR#c#shard / WAITING#execution: stores a message until its execution, which waits, has ended. Its attachments
 * are left out: the execution has them.
 */
export const putWaitingMessage = async (
  db: Database,
  message: ReplyToChatMessage,
  executionId: string,
  now: number,
): Promise<void> => {
  const ttl = Math.ceil(now / 1_000) + keptDays * daySeconds;
  const key = toKey(message, executionId);
  const { attachments: _, omittedAttachments: __, ...kept } = message.message;
  const text = JSON.stringify({ ...message, message: kept });
  await putItem(db, { Item: { ...key, message: text, ttl } });
};

/** Removes a waiting message that no other worker has taken; false when one has. */
export const removeWaitingMessage = async (
  db: Database,
  ids: Ids,
  executionId: string,
): Promise<boolean> => {
  const { written } = await deleteItem(db, {
    Key: toKey(ids, executionId),
    ConditionExpression: "attribute_not_exists(isTaken)",
  });
  return written;
};

/** Takes a waiting message, so that no other worker removes it; undefined without one. Safe to repeat. */
export const takeWaitingMessage = async (
  db: Database,
  ids: Ids,
  executionId: string,
): Promise<ReplyToChatMessage | undefined> => {
  const { written, item } = await updateItem(db, {
    Key: toKey(ids, executionId),
    UpdateExpression: "SET isTaken = :true",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeValues: { ":true": true },
    ReturnValues: "ALL_NEW",
  });
  return written ? WaitingItem.parse(item).message : undefined;
};
