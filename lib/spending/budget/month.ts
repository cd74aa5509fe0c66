/** Returns the calendar month (`2026-11`, UTC) of a time in Unix milliseconds. */
export const toMonth = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** Returns start (inclusive) and end (exclusive) of the UTC month of a time, Unix milliseconds. */
export const toMonthPeriod = (time: number): { periodStart: number; periodEnd: number } => {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { periodStart: Date.UTC(year, month), periodEnd: Date.UTC(year, month + 1) };
};
