/** Keeps a run within an enforced budget. */
export type SpendGuard = {
  /**
   * Reserves US dollars before a model call: `estimate` for the call, in addition to `spent` for finished calls
   * and estimates of open ones. Throws a StepError `budget-exceeded`.
   */
  reserve(amounts: { readonly spent: number; readonly estimate: number }): Promise<void>;
};
