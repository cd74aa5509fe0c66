import type { UsageItem } from "../../../client/openapi.ts";
import type { MeasureRow } from "./measures.ts";

/** Usage of a key in all days of a report. */
export type KeyTotal = Omit<UsageItem, "date">;

const add = (sum: KeyTotal, item: UsageItem): KeyTotal => ({
  key: sum.key,
  executionCount: sum.executionCount + item.executionCount,
  failedCount: sum.failedCount + item.failedCount,
  unpricedCount: sum.unpricedCount + item.unpricedCount,
  inputTokens: sum.inputTokens + item.inputTokens,
  outputTokens: sum.outputTokens + item.outputTokens,
  cachedTokens: sum.cachedTokens + item.cachedTokens,
  thinkingTokens: sum.thinkingTokens + item.thinkingTokens,
  inputCost: sum.inputCost + item.inputCost,
  outputCost: sum.outputCost + item.outputCost,
  totalCost: sum.totalCost + item.totalCost,
});

/** Adds the items of each key, the most expensive first. */
export const totalsByKey = (items: readonly UsageItem[]): KeyTotal[] => {
  const totals = new Map<string, KeyTotal>();
  for (const item of items) {
    const sum = totals.get(item.key);
    const { date: _, ...first } = item;
    totals.set(item.key, sum ? add(sum, item) : first);
  }
  return [...totals.values()].sort(
    (left, right) => right.totalCost - left.totalCost || right.executionCount - left.executionCount,
  );
};

/** A stack of the chart: a key, or all keys that are not shown individually. */
export type Series = { name: string; total: number };

/** Value of a series on a day; not `priced` if it is a cost of which a part has no price. */
export type DayValue = { amount: number; priced: boolean };

/** A day with the value of each series, in the order of the series. */
export type Day = { date: string; values: readonly DayValue[]; total: DayValue };

const nothing: DayValue = { amount: 0, priced: true };

const addValues = (one: DayValue, other: DayValue): DayValue => ({
  amount: one.amount + other.amount,
  priced: one.priced && other.priced,
});

/** The name of the keys that are not shown individually. */
export const others = "Others";

/** Stacks values by day: the largest keys individually, the others as one. */
export const stackByDay = (
  items: readonly UsageItem[],
  days: readonly string[],
  { getAmount, isPriced }: Pick<MeasureRow, "getAmount" | "isPriced">,
  mostSeries = 8,
): { series: Series[]; days: Day[] } => {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(item.key, (sums.get(item.key) ?? 0) + getAmount(item));
  const ranked = [...sums].sort(([, left], [, right]) => right - left);
  const isCut = ranked.length > mostSeries;
  const shown = isCut ? ranked.slice(0, mostSeries - 1) : ranked;
  const places = new Map(shown.map(([key], place) => [key, place]));
  const rest = ranked.slice(shown.length).reduce((sum, [, value]) => sum + value, 0);
  const series = shown.map(([name, total]) => ({ name, total }));
  if (isCut) series.push({ name: others, total: rest });
  const values = new Map(days.map((date) => [date, series.map(() => nothing)]));
  for (const item of items) {
    const place = places.get(item.key) ?? shown.length;
    const day = values.get(item.date);
    const value = { amount: getAmount(item), priced: isPriced(item) };
    if (day) day[place] = addValues(day[place] ?? nothing, value);
  }
  return {
    series,
    days: [...values].map(([date, of]) => ({
      date,
      values: of,
      total: of.reduce(addValues, nothing),
    })),
  };
};
