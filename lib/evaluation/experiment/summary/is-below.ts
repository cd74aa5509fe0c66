/** Means are sums of rounded numbers. */
const tolerance = 1e-9;

/** Reports whether a mean is lower than a minimum; one without a score is. */
export const isBelowMinimum = (mean: number | null, minimum: number): boolean =>
  mean === null || mean < minimum - tolerance;
