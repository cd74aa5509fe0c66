/** Expected cost of a model call; `unpriced` names a model without a price. */
export type Estimate = { readonly dollars: number; readonly unpriced?: string };

/** Keeps a run within an enforced budget. */
export type SpendGuard = {
  /** Throws a StepError for a model without a price, unless the budget allows it. */
  checkUnpriced(model: string): void;
  /**
   * Reserves US dollars before a model call: `estimate` for the call, in addition to `spent` for finished calls
   * and estimates of open ones. Throws a StepError `budget-exceeded`.
   */
  reserve(amounts: { readonly spent: number; readonly estimate: number }): Promise<void>;
};
