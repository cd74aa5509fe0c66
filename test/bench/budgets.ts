import type { Count } from "./count-unit.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

/** Most that a unit of work may consume; slot calls, which depend on time, are limited where they are given. */
export type Budget = Pick<Count, "calls" | "writeUnits" | "readUnits"> &
  Partial<Pick<Count, "slotCalls">>;

const budget = (calls: number, writeUnits: number, readUnits: number): Budget => ({
  calls,
  writeUnits,
  readUnits,
});

/** Budgets of the units of work, called by a collaborator's key. A change that exceeds one is a regression. */
export const budgets: Readonly<Record<string, Budget>> = {
  "get key": budget(1, 1, 0),
  // Its steps only compute: it is written once, with its end.
  "execute, 3 steps": budget(3, 6, 2),
  "OpenAI response, 3 steps": budget(3, 6, 2),
  "execute, model call": budget(4, 9, 2),
  // With a session: the query of its turns, and no other call. Its transactions write the session twice, and the turn.
  "execute, session": budget(5, 17, 3),
  // The namespace and its facts are read before the call; the turn is remembered after the end, by a worker.
  "execute, memory": budget(15, 21, 13),
  // One of each reads the tenant's provider. The instance keeps the slot for 15 seconds, so a caller's next calls take none.
  "execute, remote model": { ...budget(5, 9, 3), slotCalls: 0 },
  // The guardrails are read when an execution starts and again when it runs. A Judge reads its provider.
  "execute, guardrail": budget(5, 6, 4),
  "execute, Judge": { ...budget(7, 9, 5), slotCalls: 0 },
  // The file is read and its use is noted when the execution starts; the run reads the file with its use.
  "execute, file": budget(7, 10, 5),
  // The bytes of the day are counted before the file is stored. Of the units written, 5 are for the audit record and its event.
  "store file": budget(3, 9, 0),
  "get file content": budget(2, 1, 1),
  "execute, background": budget(5, 10, 2),
  "push, 0 agents": budget(4, 4, 2),
  "push, 1 agent": budget(6, 11, 3),
  "push, 10 agents": budget(7, 47, 3),
  // The finished step is stored, as of any execution of a worker that calls a model.
  "push, model call": budget(9, 15, 3),
  "push, 10 model calls": budget(30, 84, 4),
  "10 pushes, model calls": budget(47, 118, 12),
  "2 pushes in a batch": budget(9, 18, 4),
  "5 pushes in a batch": budget(15, 42, 7),
  "10 pushes in a batch": budget(25, 84, 12),
  "signed push, 1 agent": budget(6, 12, 3),
  "chat message": budget(9, 11, 4),
  "chat message, session": budget(10, 18, 8),
  "execute, approval": budget(9, 18, 6),
  "decide approval": budget(11, 25, 6),
  "scheduled run": budget(4, 9, 1),
  // Its driver reads the runs in progress again while they last: 82 read units, on a busy machine 102.
  "experiment, 20 runs": budget(97, 170, 110),
  // Four partitions, and the caller's role with the agent. Records differ in size with the digits of their times.
  "list 50 executions": budget(6, 1, 12),
  // Eight queries of the index, and one read of the records with their agents.
  "list 50 executions, all agents": budget(10, 1, 34),
  // Of the units written, 5 are for the audit record and its event.
  "rotate key": budget(8, 18, 5),
};

/** Units without a row in docs/costs.md: they are counted by the tests only. */
export const uncosted: readonly string[] = ["2 pushes in a batch", "5 pushes in a batch"];

const counters = ["calls", "writeUnits", "readUnits", "slotCalls"] as const;

/**
 * Returns a row (unit, counter, budget, counted) for each budget that was exceeded. The median of a unit's counts is
 * compared, since leases and caches that time out add calls to single ones.
 */
export const budgetsExceeded = (counted: ReadonlyMap<string, readonly Count[]>): Cell[][] =>
  [...counted].flatMap(([unit, counts]) =>
    counters.flatMap((counter) => {
      const allowed = budgets[unit]?.[counter] ?? Infinity;
      const middle = median(counts.map((count) => count[counter]));
      return middle <= allowed ? [] : [[unit, counter, allowed, middle]];
    }),
  );
