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

/** Formats milliseconds as `340 ms`, `12.4 s`, `3 min 5 s`, `2 h 5 min` or `3 d 4 h`. */
export const formatDuration = (milliseconds: number): string => {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`;
};

/** Units of a number of seconds, from the largest. */
export const secondUnits = [
  { unit: "days", seconds: 86_400 },
  { unit: "hours", seconds: 3_600 },
  { unit: "minutes", seconds: 60 },
  { unit: "seconds", seconds: 1 },
] as const;

/** Returns the largest unit of which a number of seconds is a whole number. */
export const selectUnit = (seconds: number): (typeof secondUnits)[number] =>
  secondUnits.find((unit) => seconds > 0 && seconds % unit.seconds === 0) ?? secondUnits[3];

/** Formats seconds in the largest unit of which they are a whole number: `3 days`. */
export const formatSeconds = (seconds: number): string => {
  const { unit, seconds: size } = selectUnit(seconds);
  const count = seconds / size;
  return `${formatCount(count)} ${count === 1 ? unit.slice(0, -1) : unit}`;
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
