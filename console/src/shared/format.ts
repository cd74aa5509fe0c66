const money = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const counts = new Intl.NumberFormat("en-US");

const largeMoney = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats dollars: below one dollar down to a millionth, otherwise in cents. */
export const formatCost = (dollars: number): string =>
  (Math.abs(dollars) < 1 ? money : largeMoney).format(dollars);

/** Formats a number of tokens or executions. */
export const formatCount = (count: number): string => counts.format(count);

/** Formats milliseconds as `340 ms`, `12.4 s` or `3 min 5 s`. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return `${minutes} min ${Math.round((milliseconds % 60_000) / 1_000)} s`;
};
