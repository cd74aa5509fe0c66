/** Expected cost of a model call; `unpriced` names a model without a price. */
export type Estimate = {
  readonly dollars: number;
  /** US dollars that the call does not exceed, as far as its parameters bound its output. */
  readonly most: number;
  readonly unpriced?: string;
};

/** Cost of a run and of the model call that it is about to make, US dollars. */
export type Spending = {
  /** Finished calls, and estimates of open ones. */
  readonly spent: number;
  /** The call. */
  readonly estimate: number;
  /** Returns the cost of finished calls and the bounds of open ones, this call included, at any time. */
  readonly most: () => number;
};

/** Keeps a run within an enforced budget. */
export type SpendGuard = {
  /** Throws a StepError for a model without a price, unless the budget allows it. */
  checkUnpriced(model: string): void;
  /** Reserves the cost of a model call before it is made. Throws a StepError `budget-exceeded`. */
  reserve(spending: Spending): Promise<void>;
};

/** Keeps several runs, such as an execution with its sub-agents, within one limit. */
export type SpendLimit = {
  /** Names it for a function that continues one of the runs; absent where that has no limit. */
  readonly name?: string;
  /**
   * Returns the guard of one run.
   * @param hasUnknownCosts whether earlier runs may have spent what no ledger counts: all that they reserved
   */
  guardFor(run: string, hasUnknownCosts?: boolean): SpendGuard;
  /** Counts the US dollars of work that had no guard. */
  count(cost: number): void;
  /** Refuses all calls from now on: one was refused in another function. */
  refuse?(detail: string): void;
};

/** Returns a guard that asks all of several; undefined for none. */
export const allGuards = (guards: readonly (SpendGuard | undefined)[]): SpendGuard | undefined => {
  const present = guards.filter((guard) => guard !== undefined);
  if (present.length < 2) return present[0];
  return {
    checkUnpriced: (model) => {
      for (const guard of present) guard.checkUnpriced(model);
    },
    reserve: async (spending) => {
      for (const guard of present) await guard.reserve(spending);
    },
  };
};
