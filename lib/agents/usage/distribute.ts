import { mapMeasures } from "./measures.ts";
import type { Units } from "./units.ts";

/**
 * Divides an amount in proportion to weights, one of which is positive. Shares are whole and add up to the amount. None is
 * larger than its weight if the weights add up to at least the amount.
 */
export const divide = (amount: bigint, weights: readonly bigint[]): bigint[] => {
  const whole = sum(weights);
  if (whole === 0n) return weights.map(() => 0n);
  let weightsUpTo = 0n;
  let sharesUpTo = 0n;
  return weights.map((weight) => {
    weightsUpTo += weight;
    const before = sharesUpTo;
    sharesUpTo = (2n * amount * weightsUpTo + whole) / (2n * whole);
    return sharesUpTo - before;
  });
};

/**
 * Returns the share of each column in an amount of which the columns are known to have had `known`. What exceeds them
 * belongs to the column at `otherwise`; if they exceed the amount, it is divided in proportion to them.
 */
export const attribute = (
  amount: bigint,
  known: readonly bigint[],
  otherwise: number,
): bigint[] => {
  const excess = amount - sum(known);
  if (excess < 0n) return divide(amount, known);
  return known.map((share, at) => (at === otherwise ? share + excess : share));
};

/** Divides an amount in proportion to the first weights that are not all 0; without any, all belongs to `otherwise`. */
export const attributeLike = (
  amount: bigint,
  candidates: readonly (readonly bigint[])[],
  otherwise: number,
): bigint[] => {
  const weights = candidates.find((each) => sum(each) > 0n);
  if (weights) return divide(amount, weights);
  return (candidates[0] ?? []).map((_, at) => (at === otherwise ? amount : 0n));
};

/**
 * Takes a row out of columns, in proportion to what they have left, and returns its cells. Rows whose sum is that
 * of the columns leave nothing.
 */
export const takeRow = (row: Units, columns: Units[]): Units[] => {
  const shares = mapMeasures((name) =>
    divide(
      row[name],
      columns.map((column) => column[name]),
    ),
  );
  return columns.map((column, at) => {
    const cell = mapMeasures((name) => shares[name][at] ?? 0n);
    columns[at] = mapMeasures((name) => column[name] - cell[name]);
    return cell;
  });
};

const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n);
