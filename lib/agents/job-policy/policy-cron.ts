import type { Cron, CronDay } from "./cron.ts";
import { type JobPolicy, weekdays } from "./job-policy.ts";

/** The timing members of a policy. */
export type Timing = Pick<
  JobPolicy,
  "scheduleFrequency" | "scheduleDay" | "scheduleDayOfMonth" | "scheduleHour" | "scheduleMinute"
>;

/** Parses a number of one or two digits from 0 to `most`; undefined for anything else. */
export const readNumber = (text: string | null, most: number): number | undefined =>
  text !== null && /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

/** Parses `_1` to `_31` and `_last`; undefined for anything else. */
export const readDayOfMonth = (text: string | null): CronDay | undefined => {
  if (text === "_last") return { type: "last" };
  const date = text?.startsWith("_") ? readNumber(text.slice(1), 31) : undefined;
  return date === undefined || date === 0 || text !== `_${date}`
    ? undefined
    : { type: "date", date };
};

/** Converts the timing of a policy to cron; undefined when it is invalid or absent. */
export const toCron = (policy: Timing): Cron | undefined => {
  const minute = readNumber(policy.scheduleMinute ?? "0", 59);
  if (minute === undefined) return undefined;
  if (policy.scheduleFrequency === "hourly") return { minute, hour: "*", day: { type: "every" } };
  const hour = readNumber(policy.scheduleHour, 23);
  const day = toCronDay(policy);
  return hour === undefined || day === undefined ? undefined : { minute, hour, day };
};

const toCronDay = (policy: Timing): CronDay | undefined => {
  switch (policy.scheduleFrequency) {
    case "hourly":
    case "daily":
      return { type: "every" };
    case "weekly": {
      const names: readonly (string | null)[] = weekdays;
      const weekday = names.indexOf(policy.scheduleDay);
      return weekday === -1 ? undefined : { type: "weekday", weekday };
    }
    case "monthly":
      return readDayOfMonth(policy.scheduleDayOfMonth);
  }
};
