import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { approvedMessageKey, approvedMessagesList } from "../keys.ts";
import { AnswerChatMessage } from "../messages.ts";

const ApprovedItem = z.object({
  /** An `AnswerChatMessage` as JSON. */
  answer: z.string().transform((answer) => AnswerChatMessage.parse(JSON.parse(answer))),
  /** When it was approved, Unix milliseconds. */
  approvedAt: z.int(),
});

/** Transaction write: stores an approved message until it is queued. */
export const putApprovedMessage = (
  answer: AnswerChatMessage,
  approvedAt: number,
): TransactionWrite => ({
  Put: { Item: { ...approvedMessageKey(answer.id), answer: JSON.stringify(answer), approvedAt } },
});

/** APPROVED / ACCESS#…: the messages of approved requests that may not be queued yet. */
export const listApprovedMessages = (db: Database) =>
  listAll(db, ApprovedItem, approvedMessagesList);

/** Deletes an approved message that was queued. */
export const deleteApprovedMessage = async (db: Database, id: string): Promise<void> => {
  await deleteItem(db, { Key: approvedMessageKey(id) });
};
