import type { Cron, CronDay } from "./cron.ts";
import { createOffsetLookup, type OffsetAt } from "./time-zone.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Longest gap between occurrences: the 31st at a time that daylight saving skips. */
const maxDaysAhead = 400;

/**
 * Returns the first time after `after` that matches the cron in a zone, Unix milliseconds, by the rules of
 * EventBridge Scheduler: a local time skipped by daylight saving does not run that day, a repeated one runs
 * once (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#daylist-savings-time).
 */
export const nextOccurrence = (cron: Cron, timeZone: string, after: number): number => {
  const offsetAt = createOffsetLookup(timeZone);
  const local = new Date(after + offsetAt(after));
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  for (let ahead = 0; ahead <= maxDaysAhead; ahead += 1) {
    const date = midnight + ahead * dayMs;
    if (!isOn(cron.day, date)) continue;
    const from = cron.hour === "*" ? (ahead === 0 ? local.getUTCHours() : 0) : cron.hour;
    const to = cron.hour === "*" ? 23 : cron.hour;
    for (let hour = from; hour <= to; hour += 1) {
      const at = firstMoment(offsetAt, date + (hour * 60 + cron.minute) * minuteMs);
      if (at !== undefined && at > after) return at;
    }
  }
  throw new Error(`${JSON.stringify(cron)} has no occurrence in ${timeZone}`);
};

/**
 * Returns the first time at which clocks show `wall`, a local time written as UTC. Offsets are at most 14
 * hours, so those of the day before and after are the only candidates.
 */
const firstMoment = (offsetAt: OffsetAt, wall: number): number | undefined => {
  const moments = [offsetAt(wall - dayMs), offsetAt(wall + dayMs)]
    .map((offset) => ({ at: wall - offset, offset }))
    .filter(({ at, offset }) => offsetAt(at) === offset)
    .map(({ at }) => at);
  return moments.length === 0 ? undefined : Math.min(...moments);
};

const isOn = (day: CronDay, midnight: number): boolean => {
  const date = new Date(midnight);
  switch (day.type) {
    case "every":
      return true;
    case "weekday":
      return date.getUTCDay() === day.weekday;
    case "date":
      return date.getUTCDate() === day.date;
    case "last":
      return new Date(midnight + dayMs).getUTCDate() === 1;
  }
};
