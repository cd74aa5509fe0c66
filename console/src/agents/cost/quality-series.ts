import type { UsageItem } from "../../../../client/openapi.ts";

/** Mean scores of a day, by the score's name. */
export type QualityDay = { date: string; means: Readonly<Record<string, number>> };

/** Mean scores by day, and the names of the scores, the most frequent first. */
export type Quality = { names: readonly string[]; days: readonly QualityDay[] };

/** Arranges the usage by score for a chart; scores that are texts have no mean. */
export const toQuality = (items: readonly UsageItem[], days: readonly string[]): Quality => {
  const counts = new Map<string, number>();
  const means = new Map<string, Record<string, number>>(days.map((date) => [date, {}]));
  for (const { date, key, executionCount, meanScore } of items) {
    const day = means.get(date);
    if (!day || meanScore === null || meanScore === undefined) continue;
    counts.set(key, (counts.get(key) ?? 0) + executionCount);
    day[key] = meanScore;
  }
  const names = [...counts].sort(([, left], [, right]) => right - left).map(([name]) => name);
  return { names, days: [...means].map(([date, of]) => ({ date, means: of })) };
};
