import type { CountedStack } from "./counted-stack.ts";
import type { BenchStack } from "./stack.ts";
import type { Table } from "./table.ts";

/** Options and stacks that the topics share. */
export type Bench = {
  /** Fewer and smaller runs; their numbers are not comparable. */
  short: boolean;
  /** Prints the calls of each unit of work. */
  trace: boolean;
  /** Starts the product on first use, as `npm start` does. */
  stack: () => Promise<BenchStack>;
  /** Starts the product with counted storage on first use; slower, so never measure time with it. */
  countedStack: () => Promise<CountedStack>;
};

/** Measures one topic and returns the table to print. */
export type Topic = (bench: Bench) => Promise<Table>;
