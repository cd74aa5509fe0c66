import type { Database } from "./database.ts";
import { sendTransaction } from "./send-transaction.ts";
import type { TransactionWrite } from "./transaction-write.ts";

export type { TransactionWrite };

/** Outcome of a transaction; `failed` has for each write whether its condition failed. */
export type TransactionOutcome = { written: true } | { written: false; failed: boolean[] };

/** Writes all or nothing (at most 100 writes). A failed condition is an outcome, not an error. */
export const transact = async (
  db: Database,
  writes: readonly TransactionWrite[],
): Promise<TransactionOutcome> => {
  const outcome = await sendTransaction(db, writes);
  if (outcome.written) return outcome;
  return { written: false, failed: outcome.failures.map(({ failed }) => failed) };
};
