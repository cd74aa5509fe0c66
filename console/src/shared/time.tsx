import { formatTime } from "./format.ts";

const units: readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number][] = [
  ["year", 365 * 86_400_000],
  ["month", 30 * 86_400_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

const describe = (time: number): string => {
  const distance = time - Date.now();
  const unit = units.find(([, milliseconds]) => Math.abs(distance) >= milliseconds);
  return unit ? relative.format(Math.round(distance / unit[1]), unit[0]) : "just now";
};

type TimeProps = {
  /** Unix milliseconds, or ISO 8601; null for none. */
  value: number | string | null;
  /** Shown for none. */
  none?: string;
  /** Shows date and time in place of the distance from now. */
  isExact?: boolean;
};

/** Shows a time as its distance from now, with date and time on hover. */
export const Time = ({ value, none = "never", isExact = false }: TimeProps) => {
  if (value === null) return none;
  const date = new Date(value);
  const text = formatTime(date);
  return (
    <time dateTime={date.toISOString()} title={text} style={{ whiteSpace: "nowrap" }}>
      {isExact ? text : describe(date.getTime())}
    </time>
  );
};
