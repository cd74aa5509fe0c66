import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Database } from "../../platform/db/database.ts";
import {
  type TransactionOutcome,
  type TransactionWrite,
  transact,
} from "../../platform/db/transact.ts";
import type { EndHooks, JoinEnd } from "../job/job.ts";

/** Time for which an end waits for others, in milliseconds: runs of one message that take as long end together. */
const defaultGatherMs = 50;
/** Maximum writes of a transaction. */
const maxWrites = 100;

type Waiting = {
  writes: readonly TransactionWrite[];
  resolve: (outcome: TransactionOutcome) => void;
  reject: (error: unknown) => void;
};

/** Ends of runs that may be written together. */
export type JoinedEnds = {
  /** Writes an end. */
  joinEnd: JoinEnd;
  /** Called when a run is over: no end waits for it any more. */
  leave: () => void;
};

/**
 * Writes the ends of several runs in one transaction when they come at the same time, with their counters merged, and one by one
 * if a condition fails or another write conflicts.
 * @param input `runs`: number of runs in progress
 */
export const joinEnds = (
  { db, endHooks }: { db: Database; endHooks: Pick<EndHooks, "mergeWrites"> },
  { runs, gatherMs = defaultGatherMs }: { runs: number; gatherMs?: number },
): JoinedEnds => {
  let open = runs;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const ends = waiting;
    waiting = [];
    void writeTogether(db, ends, endHooks.mergeWrites);
  };
  const flushIfComplete = (): void => {
    if (waiting.length > 0 && waiting.length >= open) flush();
  };
  return {
    joinEnd: (writes) => {
      const { promise, resolve, reject } = Promise.withResolvers<TransactionOutcome>();
      waiting.push({ writes, resolve, reject });
      timer ??= setTimeout(flush, gatherMs);
      flushIfComplete();
      return promise;
    },
    leave: () => {
      open -= 1;
      flushIfComplete();
    },
  };
};

const writeTogether = async (
  db: Database,
  ends: readonly Waiting[],
  merge: EndHooks["mergeWrites"],
): Promise<void> => {
  const { writes, joined } = combine(ends, merge);
  if (joined.length <= 1) return writeSingly(db, ends);
  await writeJoined(db, joined, writes);
  // Those that had no room in the transaction, or write an item that it writes.
  return writeTogether(
    db,
    ends.filter((end) => !joined.includes(end)),
    merge,
  );
};

const writeJoined = async (
  db: Database,
  ends: readonly Waiting[],
  writes: readonly TransactionWrite[],
): Promise<void> => {
  try {
    const outcome = await transact(db, writes);
    if (!outcome.written) return await writeSingly(db, ends);
    for (const { resolve } of ends) resolve(outcome);
  } catch (error) {
    // Another write conflicts for so long that the client gave up; nothing was written.
    if (error instanceof TransactionCanceledException) return await writeSingly(db, ends);
    for (const { reject } of ends) reject(error);
  }
};

const writeSingly = async (db: Database, ends: readonly Waiting[]): Promise<void> => {
  await Promise.all(
    ends.map(({ writes, resolve, reject }) => transact(db, writes).then(resolve, reject)),
  );
};

/** Returns the writes of ends as one transaction, which has every item once, and the ends that are in it. */
const combine = (ends: readonly Waiting[], merge: EndHooks["mergeWrites"]) => {
  let writes: TransactionWrite[] = [];
  const joined: Waiting[] = [];
  for (const end of ends) {
    const more = end.writes.reduce<TransactionWrite[] | undefined>(
      (all, write) => all && add(all, write, merge),
      writes,
    );
    if (!more || more.length > maxWrites) continue;
    writes = more;
    joined.push(end);
  }
  return { writes, joined };
};

/** Adds a write, merged with one before it where possible; undefined if another writes the same item. */
const add = (
  writes: readonly TransactionWrite[],
  write: TransactionWrite,
  merge: EndHooks["mergeWrites"],
): TransactionWrite[] | undefined => {
  for (const [at, earlier] of writes.entries()) {
    const merged = merge(earlier, write);
    if (merged) return writes.with(at, merged);
  }
  const isTaken = writes.some((earlier) => formatItemKey(earlier) === formatItemKey(write));
  return isTaken ? undefined : [...writes, write];
};

const formatItemKey = ({ Put, Update, Delete, ConditionCheck }: TransactionWrite): string => {
  const { pk, sk } = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return `${pk}\n${sk}`;
};
