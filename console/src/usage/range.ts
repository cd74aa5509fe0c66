const dayMilliseconds = 86_400_000;

/** Days of a report, both inclusive, as `YYYY-MM-DD` in UTC. */
export type Days = { from: string; to: string };

/** Ranges to choose from. */
export const ranges = ["7d", "30d", "90d", "month", "custom"] as const;
export type Range = (typeof ranges)[number];

export const rangeNames: Readonly<Record<Range, string>> = {
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  month: "This month",
  custom: "Custom",
};

/** Formats a time as its UTC day. */
const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Returns the days of a range that ends today; `chosen` are those of a custom one. */
export const selectDays = (range: Range, now: number, chosen: Partial<Days> = {}): Days => {
  const to = formatDay(now);
  const lengths = { "7d": 7, "30d": 30, "90d": 90, custom: 30 };
  const last = range === "custom" ? (chosen.to ?? to) : to;
  if (range === "month") return { from: `${to.slice(0, 8)}01`, to };
  const from = formatDay(now - (lengths[range] - 1) * dayMilliseconds);
  return { from: range === "custom" ? (chosen.from ?? from) : from, to: last };
};

/** Lists the days from the first to the last; at most 366. */
export const listDays = ({ from, to }: Days): string[] => {
  const start = Date.parse(from);
  const count = Math.round((Date.parse(to) - start) / dayMilliseconds) + 1;
  if (!(count > 0)) return [];
  return Array.from({ length: Math.min(count, 366) }, (_, day) =>
    formatDay(start + day * dayMilliseconds),
  );
};
