import { seededRandom } from "./random.ts";

/** Returns the mean; null of nothing. */
export const computeMean = (values: ArrayLike<number>): number | null => {
  if (values.length === 0) return null;
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += values[at] ?? 0;
  return sum / values.length;
};

/** Returns the value that a share of sorted values does not exceed (nearest rank); null of nothing. */
export const computeQuantile = (sorted: ArrayLike<number>, share: number): number | null => {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? null;
};

const most = 2_000;
const least = 200;
/** Draws of one interval, which take about a second. */
const maxDraws = 50_000_000;

/**
 * Returns the 95 % interval of the mean, as the percentiles of the means of samples drawn with replacement: 2,000 of
 * them, fewer for more than 25,000 values. Null of nothing.
 */
export const bootstrapInterval = (
  values: ArrayLike<number>,
  seed: string,
): [low: number, high: number] | null => {
  const count = values.length;
  if (count === 0) return null;
  const random = seededRandom(seed);
  const samples = Math.max(least, Math.min(most, Math.floor(maxDraws / count)));
  const means = new Float64Array(samples);
  for (let sample = 0; sample < samples; sample += 1) {
    let sum = 0;
    for (let draw = 0; draw < count; draw += 1) sum += values[Math.floor(random() * count)] ?? 0;
    means[sample] = sum / count;
  }
  means.sort();
  const [low, high] = [computeQuantile(means, 0.025), computeQuantile(means, 0.975)];
  return low === null || high === null ? null : [low, high];
};
