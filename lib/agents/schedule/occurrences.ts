import { IANAZone } from "luxon";
import type { Cron, CronDay } from "./cron.ts";

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Of all that cron's subset can say, the 31st at a time that a day of its own skips comes most rarely. */
const mostDaysAhead = 400;

/**
 * The first moment after `after` at which the clocks of a zone show what the cron says, Unix milliseconds,
 * by the rules of EventBridge Scheduler: a time that a day skips, as clocks go forward, does not run on
 * that day, and one that comes twice, as clocks go back, runs the first time only
 * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#daylist-savings-time).
 */
export const nextOccurrence = (cron: Cron, timeZone: string, after: number): number => {
  const zone = IANAZone.create(timeZone);
  const local = new Date(after + offsetMs(zone, after));
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  for (let ahead = 0; ahead <= mostDaysAhead; ahead += 1) {
    const date = midnight + ahead * dayMs;
    if (!isOn(cron.day, date)) continue;
    const from = cron.hour === "*" ? (ahead === 0 ? local.getUTCHours() : 0) : cron.hour;
    const to = cron.hour === "*" ? 23 : cron.hour;
    for (let hour = from; hour <= to; hour += 1) {
      const at = firstMoment(zone, date + (hour * 60 + cron.minute) * minuteMs);
      if (at !== undefined && at > after) return at;
    }
  }
  throw new Error(`${JSON.stringify(cron)} never comes in ${timeZone}`);
};

const offsetMs = (zone: IANAZone, at: number): number => zone.offset(at) * minuteMs;

/**
 * The first moment at which the clocks show `wall`, a local time written as if it were UTC. No offset is
 * larger than 14 hours, so those of a day before and a day after are all that may be in force.
 */
const firstMoment = (zone: IANAZone, wall: number): number | undefined => {
  const moments = [offsetMs(zone, wall - dayMs), offsetMs(zone, wall + dayMs)]
    .map((offset) => ({ at: wall - offset, offset }))
    .filter(({ at, offset }) => offsetMs(zone, at) === offset)
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
