import { LimitError } from "./expression-error.ts";

type Comes = (left: unknown, right: unknown) => unknown;

/**
 * Sorts as jsonata's `$sort`, with linear memory: a stable merge sort. `comparator` returns whether the left
 * value comes after the right.
 */
export const sortValues = async (values: unknown, comparator?: unknown): Promise<unknown> => {
  if (values === undefined) return undefined;
  if (!Array.isArray(values) || values.length <= 1) return values;
  if (comparator === undefined) return sortPlain(values);
  if (typeof comparator !== "function")
    throw new LimitError("calls $sort with a comparator that is not a function");
  const comes: Comes = (left, right) => Reflect.apply(comparator, undefined, [left, right]);
  let sorted: readonly unknown[] = values;
  for (let width = 1; width < values.length; width *= 2)
    sorted = await mergeRuns(sorted, width, comes);
  return sorted;
};

const mergeRuns = async (
  values: readonly unknown[],
  width: number,
  comes: Comes,
): Promise<unknown[]> => {
  const merged: unknown[] = [];
  for (let start = 0; start < values.length; start += 2 * width) {
    const middle = Math.min(start + width, values.length);
    const end = Math.min(start + 2 * width, values.length);
    let left = start;
    let right = middle;
    while (left < middle && right < end) {
      if (await comes(values[left], values[right])) merged.push(values[right++]);
      else merged.push(values[left++]);
    }
    while (left < middle) merged.push(values[left++]);
    while (right < end) merged.push(values[right++]);
  }
  return merged;
};

const sortPlain = (values: readonly unknown[]): unknown[] => {
  if (values.every((value) => typeof value === "number")) return values.toSorted((a, b) => a - b);
  if (values.every((value) => typeof value === "string")) {
    return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
  throw new LimitError(
    "may use $sort without a second argument only on strings or on numbers, not on both",
  );
};
