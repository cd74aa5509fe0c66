import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import { listAll } from "../../platform/db/list-page.ts";
import type { TransactionWrite } from "../../platform/db/transact.ts";
import { deleteItem } from "../../platform/db/write-item.ts";
import { approvedMessageKey, approvedMessagesList } from "../keys.ts";
import { ReplyToChatMessage } from "../messages.ts";

const ApprovedItem = z.object({
  /** A `ReplyToChatMessage` as JSON. */
  message: z.string().transform((message) => ReplyToChatMessage.parse(JSON.parse(message))),
  /** When it was approved, Unix milliseconds. */
  approvedAt: z.int(),
});

/** Transaction write: stores an approved message until it is queued. */
export const putApprovedMessage = (
  message: ReplyToChatMessage,
  approvedAt: number,
): TransactionWrite => ({
  Put: {
    Item: { ...approvedMessageKey(message.id), message: JSON.stringify(message), approvedAt },
  },
});

/** APPROVED / ACCESS#…: the messages of approved requests that may not be queued yet. */
export const listApprovedMessages = (db: Database) =>
  listAll(db, ApprovedItem, approvedMessagesList);

/** Deletes an approved message that was queued. */
export const deleteApprovedMessage = async (db: Database, id: string): Promise<void> => {
  await deleteItem(db, { Key: approvedMessageKey(id) });
};
