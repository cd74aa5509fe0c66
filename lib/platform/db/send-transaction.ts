import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { sendWithCompanions } from "./companion-writes.ts";
import type { Database } from "./database.ts";
import type { TransactionWrite } from "./transaction-write.ts";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Whether the condition of a write failed, and the item, if the write requests it. */
type WriteFailure = { failed: boolean; item: Record<string, unknown> | undefined };

/** Outcome of a transaction; `failures` has an entry for each write. */
export type SentTransaction = { written: true } | { written: false; failures: WriteFailure[] };

/**
 * Sends writes, with the handle's companions, as one transaction. The client retries conflicts, throttles and lost
 * responses with the same request token, so that a transaction is not applied twice.
 */
export const sendTransaction = async (
  db: Database,
  writes: readonly TransactionWrite[],
): Promise<SentTransaction> => {
  const outcome = await sendWithCompanions(db, writes, (all) => sendAll(db, all));
  if (outcome.written) return outcome;
  return { written: false, failures: outcome.failures.slice(0, writes.length) };
};

const sendAll = async (
  db: Database,
  writes: readonly TransactionWrite[],
): Promise<SentTransaction> => {
  const TransactItems = writes.map((write) => withTable(write, db.table));
  try {
    await db.client.send(new TransactWriteCommand({ TransactItems }));
    return { written: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const failures = (error.CancellationReasons ?? []).map(({ Code, Item }) => ({
      failed: Code === "ConditionalCheckFailed",
      item: Item && unmarshall(Item),
    }));
    if (!failures.some(({ failed }) => failed)) throw error;
    return { written: false, failures };
  }
};

const withTable = (
  { Put, Update, Delete, ConditionCheck }: TransactionWrite,
  TableName: string,
): Write => ({
  ...(Put && { Put: { ...Put, TableName } }),
  ...(Update && { Update: { ...Update, TableName } }),
  ...(Delete && { Delete: { ...Delete, TableName } }),
  ...(ConditionCheck && { ConditionCheck: { ...ConditionCheck, TableName } }),
});
