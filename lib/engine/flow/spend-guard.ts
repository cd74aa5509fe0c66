/** Keeps a run within a budget that is enforced. */
export type SpendGuard = {
  /**
   * Sets money aside before it is spent: `estimate` US dollars for the next call of a model, beside
   * `spent` US dollars that the run has cost so far, or is expected to by the calls that are under way. Throws a StepError `budget-exceeded`.
   */
  reserve(amounts: { readonly spent: number; readonly estimate: number }): Promise<void>;
};
