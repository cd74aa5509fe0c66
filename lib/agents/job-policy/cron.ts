/** Days on which a schedule runs; weekdays count from 0, Sunday. */
export type CronDay =
  | { type: "every" }
  | { type: "weekday"; weekday: number }
  | { type: "date"; date: number }
  | { type: "last" };

/** The cron subset that job policies use: one minute of one or every hour, on some days. */
export type Cron = { minute: number; hour: number | "*"; day: CronDay };

const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const subset =
  /^cron\((?<minute>\d{1,2}) (?<hour>\*|\d{1,2}) (?<date>\*|\?|L|\d{1,2}) \* (?<weekday>\?|[A-Z]{3}) \*\)$/;

/** Formats cron as EventBridge Scheduler does: minute, hour, day of month, month, day of week, year. */
export const formatCron = ({ minute, hour, day }: Cron): string => {
  const days = {
    every: "* * ?",
    weekday: `? * ${day.type === "weekday" ? weekdayNames[day.weekday] : ""}`,
    date: `${day.type === "date" ? day.date : ""} * ?`,
    last: "L * ?",
  }[day.type];
  return `cron(${minute} ${hour} ${days} *)`;
};

/** Parses the output of `formatCron`; undefined for any other expression. */
export const parseCron = (expression: string): Cron | undefined => {
  const parts = subset.exec(expression)?.groups;
  if (!parts) return undefined;
  const minute = Number(parts.minute);
  const hour = parts.hour === "*" ? "*" : Number(parts.hour);
  const day = parseCronDay(parts.date ?? "", parts.weekday ?? "");
  if (!day || minute > 59 || (hour !== "*" && hour > 23)) return undefined;
  return { minute, hour, day };
};

const parseCronDay = (date: string, weekday: string): CronDay | undefined => {
  if (date === "?") {
    const at = weekdayNames.indexOf(weekday);
    return at === -1 ? undefined : { type: "weekday", weekday: at };
  }
  if (weekday !== "?") return undefined;
  if (date === "*") return { type: "every" };
  if (date === "L") return { type: "last" };
  const number = Number(date);
  return number >= 1 && number <= 31 ? { type: "date", date: number } : undefined;
};
