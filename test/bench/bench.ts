import type { CountedStack } from "./counted-stack.ts";
import type { BenchStack } from "./stack.ts";
import type { Table } from "./table.ts";

/** What the topics share. */
export type Bench = {
  /** Fewer and smaller runs: numbers to look at, not to compare. */
  short: boolean;
  /** The product as `npm start` runs it; started for the first topic that asks. */
  stack: () => Promise<BenchStack>;
  /** The product over an engine that says what each call consumes: for counting, never for times. */
  countedStack: () => Promise<CountedStack>;
};

/** One topic: measures, and gives what is printed. */
export type Topic = (bench: Bench) => Promise<Table>;
