const dollarsWith = (decimals: number) =>
  new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
const cents = dollarsWith(2);
const small = dollarsWith(4);
const tiny = dollarsWith(6);
const counts = new Intl.NumberFormat("en-US");

/** Formats dollars: in cents, below one dollar with 4 decimals, below a hundredth of a cent with 6. */
export const formatCost = (dollars: number): string => {
  const amount = Math.abs(dollars);
  if (amount === 0 || amount >= 1) return cents.format(dollars);
  return (amount >= 0.0001 ? small : tiny).format(dollars);
};

/** Formats a cost of which a part may have no price. */
export const formatKnownCost = (dollars: number, priced: boolean): string => {
  if (priced) return formatCost(dollars);
  return dollars === 0 ? "no price" : `${formatCost(dollars)} + no price`;
};

/** Formats a number of tokens or executions. */
export const formatCount = (count: number): string => counts.format(count);

const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** Formats a number for a small place: from a million on as `1.2M`. */
export const formatShortCount = (count: number): string =>
  count < 1_000_000 ? formatCount(count) : compact.format(count);

const scores = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });

/** Formats a score with at most 3 decimals. */
export const formatScore = (score: number): string => scores.format(score);

/** Formats milliseconds as `340 ms`, `12.4 s` or `3 min 5 s`. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(milliseconds / 60_000);
  return `${minutes} min ${Math.round((milliseconds % 60_000) / 1_000)} s`;
};

/** Formats a size: `340 B`, `12.4 KB` or `3.1 MB`, with 1,024 bytes in a KB. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} B`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_000 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1_024).toFixed(1)} MB`;
};

const times = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** Formats a time in the browser's zone, as `21 Nov 2026, 14:05:00`. */
export const formatTime = (time: number | Date): string => times.format(time);

const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const shortDays = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Formats a UTC day, which is `YYYY-MM-DD`, as `21 Nov 2026`. */
export const formatDay = (day: string): string => days.format(new Date(day));

/** Formats a UTC day for a small place, as `21 Nov`. */
export const formatShortDay = (day: string): string => shortDays.format(new Date(day));
