import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cron, formatCron, parseCron } from "./cron.ts";
import { frequencies, weekdays } from "./job-policy.ts";
import { nextOccurrence } from "./occurrences.ts";
import { type Timing, toCron } from "./policy-cron.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Zones with the moments around which their clocks did something remarkable. */
const remarkable = {
  "Europe/Berlin": ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
  "America/New_York": ["2026-03-08T07:00Z", "2026-11-01T06:00Z"],
  "Australia/Lord_Howe": ["2026-04-04T15:00Z", "2026-10-03T15:30Z"],
  "Asia/Kathmandu": ["2026-06-01T00:00Z"],
  "Pacific/Apia": ["2011-12-30T10:00Z", "2021-04-03T14:00Z"],
  "Asia/Beirut": ["2026-03-28T22:00Z", "2026-10-24T21:00Z"],
  UTC: ["2026-02-28T12:00Z", "2028-02-29T12:00Z"],
} as const;

const number = (most: number) => fc.integer({ min: 0, max: most }).map(String);
const dayOfMonth = fc.oneof(
  fc.integer({ min: 1, max: 31 }).map((date) => `_${date}`),
  fc.constant("_last"),
);
const timing: fc.Arbitrary<Timing> = fc.record({
  scheduleFrequency: fc.constantFrom(...frequencies),
  scheduleDay: fc.constantFrom(...weekdays),
  scheduleDayOfMonth: dayOfMonth,
  scheduleHour: number(23),
  scheduleMinute: fc.oneof(number(59), fc.constantFrom("00", "15", "30")),
});
const place = fc
  .constantFrom(...Object.entries(remarkable).map(([zone, moments]) => ({ zone, moments })))
  .chain(({ zone, moments }) =>
    fc.record({
      zone: fc.constant(zone),
      from: fc
        .tuple(fc.constantFrom(...moments), fc.integer({ min: -3_000, max: 1_500 }))
        .map(([moment, minutes]) => Date.parse(moment) + minutes * minuteMs),
    }),
  );

/** Returns a formatter of the wall-clock time in a zone. */
const wallClock = (zone: string) => {
  const format = new Intl.DateTimeFormat("en-US-u-hc-h23", {
    timeZone: zone,
    weekday: "long",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (at: number) => {
    const shown = Object.fromEntries(
      format.formatToParts(at).map((part) => [part.type, part.value]),
    );
    const { year, month, day } = shown;
    const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    return {
      text: `${year}-${month}-${day} ${shown.hour}:${shown.minute}`,
      weekday: shown.weekday?.toLowerCase(),
      isLast: Number(day) === lastDay,
      date: Number(day),
      hour: Number(shown.hour),
      minute: Number(shown.minute),
    };
  };
};

/** The naive way: looks at every minute, and takes each time that the clocks show only when they first do. */
const scan = (policy: Timing, zone: string, from: number, until: number): number[] => {
  const clock = wallClock(zone);
  const shown = new Set<string>();
  const found: number[] = [];
  for (let at = from - 3 * 60 * minuteMs; at <= until; at += minuteMs) {
    if (new Date(at).getUTCMinutes() % 5 !== Number(policy.scheduleMinute) % 5) continue;
    const now = clock(at);
    if (now.minute !== Number(policy.scheduleMinute)) continue;
    const isFirst = !shown.has(now.text);
    shown.add(now.text);
    const frequency = policy.scheduleFrequency;
    const fits =
      (frequency === "hourly" || now.hour === Number(policy.scheduleHour)) &&
      (frequency !== "weekly" || now.weekday === policy.scheduleDay) &&
      (frequency !== "monthly" ||
        (policy.scheduleDayOfMonth === "_last"
          ? now.isLast
          : `_${now.date}` === policy.scheduleDayOfMonth));
    if (isFirst && fits && at > from) found.push(at);
  }
  return found;
};

const cronFor = (policy: Timing): Cron => {
  const cron = toCron(policy);
  if (!cron) throw new Error("no cron");
  return parseCron(formatCron(cron)) ?? cron;
};

const occurrences = (policy: Timing, zone: string, from: number, until: number): number[] => {
  const cron = cronFor(policy);
  const found: number[] = [];
  for (let at = nextOccurrence(cron, zone, from); at <= until; at = nextOccurrence(cron, zone, at))
    found.push(at);
  return found;
};

describe("the occurrences of a policy", () => {
  test("equal those found by checking every minute, around every clock change", {
    tags: "nightly",
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(timing, place, (policy, { zone, from }) => {
        const until = from + 3 * dayMs;
        expect(occurrences(policy, zone, from, until)).toEqual(scan(policy, zone, from, until));
      }),
      { numRuns: 120 },
    );
  });

  test("are at most one a day for a daily policy, at any clock change", { tags: "nightly" }, () => {
    fc.assert(
      fc.property(timing, place, (policy, { zone, from }) => {
        const clock = wallClock(zone);
        const daily = { ...policy, scheduleFrequency: "daily" as const };
        const days = occurrences(daily, zone, from, from + 5 * dayMs).map(
          (at) => clock(at).text.split(" ")[0],
        );
        expect(new Set(days).size).toBe(days.length);
      }),
      { numRuns: 60 },
    );
  });
});

const next = (expression: string, zone: string, after: string): string => {
  const cron = parseCron(expression);
  if (!cron) throw new Error(`${expression} is not read`);
  return new Date(nextOccurrence(cron, zone, Date.parse(after))).toISOString();
};

test.each([
  [
    "a time that comes twice runs the first time",
    "cron(30 2 * * ? *)",
    "2026-10-24T12:00Z",
    "2026-10-25T00:30:00.000Z",
  ],
  ["and not the second", "cron(30 2 * * ? *)", "2026-10-25T00:30Z", "2026-10-26T01:30:00.000Z"],
  [
    "an hour that comes twice runs once",
    "cron(30 * * * ? *)",
    "2026-10-25T00:30Z",
    "2026-10-25T02:30:00.000Z",
  ],
  [
    "a time that a day skips does not run that day",
    "cron(30 2 * * ? *)",
    "2026-03-28T12:00Z",
    "2026-03-30T00:30:00.000Z",
  ],
  [
    "the 31st does not run in shorter months",
    "cron(0 9 31 * ? *)",
    "2026-03-31T12:00Z",
    "2026-05-31T07:00:00.000Z",
  ],
  [
    "the last day of February",
    "cron(0 9 L * ? *)",
    "2028-02-01T00:00Z",
    "2028-02-29T08:00:00.000Z",
  ],
  ["a Sunday", "cron(0 9 ? * SUN *)", "2026-11-21T12:00Z", "2026-11-22T08:00:00.000Z"],
])("in Berlin, %s", (_, expression, after, expected) => {
  expect(next(expression, "Europe/Berlin", after)).toBe(expected);
});

describe("cron", () => {
  test.each([
    [{ scheduleFrequency: "hourly", scheduleMinute: "5" }, "cron(5 * * * ? *)"],
    [{ scheduleFrequency: "daily", scheduleHour: "07", scheduleMinute: null }, "cron(0 7 * * ? *)"],
    [{ scheduleFrequency: "weekly", scheduleDay: "sunday" }, "cron(30 9 ? * SUN *)"],
    [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "_31" }, "cron(30 9 31 * ? *)"],
    [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "_last" }, "cron(30 9 L * ? *)"],
  ] as const)("%o is %s", (policy, expected) => {
    const cron = toCron({
      scheduleDay: null,
      scheduleDayOfMonth: null,
      scheduleHour: "9",
      scheduleMinute: "30",
      ...policy,
    });
    expect(cron && formatCron(cron)).toBe(expected);
  });

  test("is parsed as written", () => {
    fc.assert(
      fc.property(timing, (policy) => {
        const cron = toCron(policy);
        expect(cron && parseCron(formatCron(cron))).toEqual(cron);
      }),
    );
  });

  test.each([
    "rate(1 hour)",
    "cron(60 * * * ? *)",
    "cron(0 24 * * ? *)",
    "cron(0 0 32 * ? *)",
    "cron(0 0 0 * ? *)",
    "cron(0 0 ? * ABC *)",
    "cron(0 0 1 * MON *)",
    "cron(0 0 * 1 ? *)",
    "cron(0/5 * * * ? *)",
  ])("%s is not of the subset", (expression) => {
    expect(parseCron(expression)).toBeUndefined();
  });
});
