import type { Count } from "./count-unit.ts";
import type { Cell } from "./table.ts";

/** Most that a unit of work may consume. */
export type Budget = Pick<Count, "calls" | "writeUnits" | "readUnits">;

const budget = (calls: number, writeUnits: number, readUnits: number): Budget => ({
  calls,
  writeUnits,
  readUnits,
});

/** Budgets of the units of work. A change that exceeds one is a regression. */
export const budgets: Readonly<Record<string, Budget>> = {
  "get key": budget(1, 1, 0),
  "execute, 3 steps": budget(4, 8, 1),
  "execute, model call": budget(4, 8, 1),
  "execute, background": budget(5, 9, 1),
  "push, 0 agents": budget(4, 5, 2),
  "push, 1 agent": budget(8, 15, 4),
  "push, 10 agents": budget(26, 105, 4),
  "chat message": budget(9, 10, 4),
  "chat message, session": budget(10, 13, 7),
  "scheduled run": budget(4, 8, 1),
  "experiment, 20 runs": budget(120, 220, 100),
  // Records differ in size with the digits of their times: 6, on a busy machine 7.
  "list 50 executions": budget(3, 1, 7),
  "rotate key": budget(8, 13, 5),
};

const counters = ["calls", "writeUnits", "readUnits"] as const;

/**
 * Returns a row (unit, counter, budget, counted) for each budget that was exceeded. The smallest of a unit's counts
 * is compared, since leases and caches that time out add calls to others.
 */
export const budgetsExceeded = (counted: ReadonlyMap<string, readonly Count[]>): Cell[][] =>
  Object.entries(budgets).flatMap(([unit, allowed]) =>
    counters.flatMap((counter) => {
      const least = Math.min(...(counted.get(unit) ?? []).map((count) => count[counter]));
      return least <= allowed[counter] ? [] : [[unit, counter, allowed[counter], least]];
    }),
  );
