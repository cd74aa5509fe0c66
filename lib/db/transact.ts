import { setTimeout as sleep } from "node:timers/promises";
import {
  TransactionCanceledException,
  TransactionConflictException,
} from "@aws-sdk/client-dynamodb";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Database } from "./database.ts";

type Write = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** One write of a transaction, without the table's name. */
export type TransactionWrite = {
  [Kind in keyof Write]: Omit<NonNullable<Write[Kind]>, "TableName">;
};

/** Whether it was written; if not, which of the writes had a condition that did not hold. */
export type TransactionOutcome = { written: true } | { written: false; failed: boolean[] };

const attempts = 12;
const longestPauseMs = 400;

/**
 * Writes all or nothing (at most 100 writes). A condition that does not hold is an outcome, not an
 * error. Another transaction on the same items at the same moment is tried again, with jitter.
 */
export const transact = async (
  db: Database,
  writes: readonly TransactionWrite[],
): Promise<TransactionOutcome> => {
  const TransactItems = writes.map((write) => withTable(write, db.table));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.client.send(new TransactWriteCommand({ TransactItems }));
      return { written: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = error.CancellationReasons?.map((reason) => reason.Code) ?? [];
      if (codes.includes("ConditionalCheckFailed")) {
        return { written: false, failed: codes.map((code) => code === "ConditionalCheckFailed") };
      }
      if (!codes.includes("TransactionConflict") || attempt === attempts) throw error;
      await pause(attempt);
    }
  }
};

const pause = (attempt: number): Promise<void> =>
  sleep(Math.random() * Math.min(longestPauseMs, 10 * 2 ** attempt));

/** A single write that meets a transaction on its item is refused by DynamoDB; it is tried again. */
export const outlastTransactions = async <Result>(
  write: () => Promise<Result>,
): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || attempt === attempts) throw error;
      await pause(attempt);
    }
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
