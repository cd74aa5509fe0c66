/** Returns a quantile of the values; 0.5 is the median. NaN without values. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
};

/** Returns the median, which outliers do not affect. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
