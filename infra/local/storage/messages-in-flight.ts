import type { DatabaseSync } from "node:sqlite";

/** Records receives that ended: their messages failed or were deferred, and wait for their visibility timeout. */
export type SettleReceipts = (receipts: readonly string[]) => void;

/**
 * Maximum receives of a message that do not count; further ones do, as the message itself may end
 * the process.
 */
const maxReturns = 50;

const tables = `
CREATE TABLE IF NOT EXISTS settled_receipts (receipt_handle TEXT NOT NULL PRIMARY KEY);
CREATE TABLE IF NOT EXISTS returned_messages (message_id TEXT NOT NULL PRIMARY KEY, times INTEGER NOT NULL);
`;

const isInFlight =
  "receipt_handle IS NOT NULL AND receipt_handle NOT IN (SELECT receipt_handle FROM settled_receipts)";

const releaseInFlight = `
INSERT INTO returned_messages SELECT message_id, 1 FROM sqs_messages WHERE ${isInFlight}
  ON CONFLICT (message_id) DO UPDATE SET times = times + 1;
UPDATE sqs_messages SET approximate_receive_count = approximate_receive_count - 1
  WHERE ${isInFlight} AND approximate_receive_count > 0
  AND message_id NOT IN (SELECT message_id FROM returned_messages WHERE times > ${maxReturns});
UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE ${isInFlight};
DELETE FROM settled_receipts
  WHERE receipt_handle NOT IN (SELECT receipt_handle FROM sqs_messages WHERE receipt_handle IS NOT NULL);
DELETE FROM returned_messages WHERE message_id NOT IN (SELECT message_id FROM sqs_messages);
`;

/**
 * Returns the messages that were in flight when the process ended, before they are loaded. Their
 * functions ended without a failure, so the receives do not count as attempts. A message keeps its
 * visibility timeout if its receive had ended.
 */
export const returnMessagesInFlight = (database: DatabaseSync): SettleReceipts => {
  database.exec(tables);
  database.exec(`BEGIN; ${releaseInFlight} COMMIT;`);
  const insert = database.prepare("INSERT OR IGNORE INTO settled_receipts VALUES (?)");
  return (receipts) => {
    for (const receipt of receipts) insert.run(receipt);
  };
};
