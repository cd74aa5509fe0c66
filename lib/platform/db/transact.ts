import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** One write of a transaction, without the table's name. */
export type TransactionWrite = {
  [Kind in keyof Write]: Omit<NonNullable<Write[Kind]>, "TableName">;
};

/** Outcome of a transaction; `failed` has for each write whether its condition failed. */
export type TransactionOutcome = { written: true } | { written: false; failed: boolean[] };

/**
 * Writes all or nothing (at most 100 writes). A failed condition is an outcome, not an error. The client retries
 * conflicts and throttles with the same request token, so that a transaction whose response was lost is not repeated.
 */
export const transact = async (
  db: Database,
  writes: readonly TransactionWrite[],
): Promise<TransactionOutcome> => {
  const TransactItems = writes.map((write) => withTable(write, db.table));
  try {
    await db.client.send(new TransactWriteCommand({ TransactItems }));
    return { written: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? [];
    if (!codes.includes("ConditionalCheckFailed")) throw error;
    return { written: false, failed: codes.map((code) => code === "ConditionalCheckFailed") };
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
