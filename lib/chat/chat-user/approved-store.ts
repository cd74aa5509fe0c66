import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { approvedMessageKey, approvedMessagesList } from "../../platform/db/keys.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { AnswerChatMessage } from "../../platform/queue/messages.ts";

const ApprovedItem = z.object({
  /** An `AnswerChatMessage` as JSON. */
  answer: z.string().transform((answer) => AnswerChatMessage.parse(JSON.parse(answer))),
  /** When it was approved, Unix milliseconds. */
  approvedAt: z.int(),
});

/** Part of a transaction: the message of an approved request is to be answered, and nothing loses it. */
export const putApprovedMessage = (
  answer: AnswerChatMessage,
  approvedAt: number,
): TransactionWrite => ({
  Put: { Item: { ...approvedMessageKey(answer.id), answer: JSON.stringify(answer), approvedAt } },
});

/** APPROVED / ACCESS#…: the messages of approved requests that may not be on their queue yet. */
export const listApprovedMessages = (db: Database) =>
  listAll(db, ApprovedItem, approvedMessagesList);

/** Forgets a message that is on its queue. */
export const deleteApprovedMessage = async (db: Database, id: string): Promise<void> => {
  await db.client.send(new DeleteCommand({ TableName: db.table, Key: approvedMessageKey(id) }));
};
