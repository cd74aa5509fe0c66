import { setTimeout as sleep } from "node:timers/promises";
import { BatchExecuteStatementCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import {
  mayRetryStatement,
  retryDelayMs,
  retryUntil,
  ServiceBusyError,
} from "../runtime/aws-retry.ts";
import { splitEvery } from "../runtime/split-every.ts";
import type { Database } from "./database.ts";
import { getItems } from "./get-items.ts";
import type { Key } from "./keys.ts";
import { isSameItem } from "./own-writes.ts";

type Item = Key & Record<string, unknown>;

/** Outcome of an insert. "exists": another write created an item with the same key. */
export type InsertOutcome = "written" | "exists" | { error: unknown };

/** Outcome of an attempt; "busy" is tried again. */
type StatementResult = InsertOutcome | "busy";

/** Maximum statements of a call. */
const batchSize = 25;

/**
 * Writes new items, 25 to a round trip, on the condition that they do not exist: as PartiQL
 * statements, since `BatchWriteItem` has no conditions and a transaction consumes twice the units.
 * Some may be written and others not. Retries throttled ones. No two items may have the same key.
 */
export const insertTogether = async (
  db: Database,
  items: readonly Item[],
): Promise<InsertOutcome[]> => {
  const batches = splitEvery(items, batchSize);
  return (await Promise.all(batches.map((batch) => insertBatch(db, batch)))).flat();
};

const insertBatch = async (db: Database, items: readonly Item[]): Promise<InsertOutcome[]> => {
  const outcomes = new Map<Item, InsertOutcome>();
  const until = retryUntil(Date.now());
  let left = items;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt > 0) await sleep(retryDelayMs(attempt));
    const results = await insertOnce(db, left, attempt > 0);
    for (const [at, item] of left.entries()) {
      const result = results[at] ?? "busy";
      const isOver = Date.now() >= until;
      if (result !== "busy") outcomes.set(item, result);
      else if (isOver)
        outcomes.set(item, { error: new ServiceBusyError("an insert was left out") });
    }
    left = left.filter((item) => !outcomes.has(item));
  }
  return items.map((item) => outcomes.get(item) ?? "exists");
};

const insertOnce = async (
  db: Database,
  items: readonly Item[],
  isRepeated: boolean,
): Promise<StatementResult[]> => {
  try {
    const { Responses = [], $metadata } = await db.client.send(
      new BatchExecuteStatementCommand({
        Statements: items.map((item) => insertStatement(db.table, item)),
      }),
    );
    const results = items.map((_, at): StatementResult => {
      const { Error: failure } = Responses[at] ?? {};
      if (!failure) return "written";
      if (failure.Code === "DuplicateItem") return "exists";
      if (mayRetryStatement(failure.Code)) return "busy";
      return { error: new Error(`an insert failed: ${failure.Code} ${failure.Message}`) };
    });
    const isAgain = isRepeated || ($metadata.attempts ?? 1) > 1;
    return isAgain ? await recognizeOwn(db, items, results) : results;
  } catch (error) {
    return items.map(() => ({ error }));
  }
};

const insertStatement = (table: string, item: Item) => {
  const members = Object.entries(item).filter(([, value]) => value !== undefined);
  return {
    Statement: `INSERT INTO "${table}" VALUE {${members.map(([name]) => `'${name}': ?`).join(", ")}}`,
    Parameters: members.map(([, value]) => value),
  };
};

const Stored = z.record(z.string(), z.unknown());

/**
 * An existing item that equals the new one was written by an earlier attempt with a lost response.
 */
const recognizeOwn = async (
  db: Database,
  items: readonly Item[],
  results: readonly StatementResult[],
): Promise<StatementResult[]> => {
  const existing = items.filter((_, at) => results[at] === "exists");
  const found = await getItems(db, existing, Stored);
  const own = new Set(existing.filter((item, at) => isSameItem(item, found[at])));
  return results.map((result, at) => {
    const item = items[at];
    return item && own.has(item) ? "written" : result;
  });
};
