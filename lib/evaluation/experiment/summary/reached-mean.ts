type Scored = { mean: number | null; count: number; unscored: number };

/**
 * Returns the mean that a minimum is compared with: a run without a score counts as 0, so that a scorer that fails does
 * not lift a revision. Null without any score.
 */
export const reachedMean = ({ mean, count, unscored }: Scored): number | null =>
  mean === null ? null : Math.min(mean, (mean * count) / (count + unscored));
