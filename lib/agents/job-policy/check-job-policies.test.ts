import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { checkJobPolicies } from "./check-job-policies.ts";
import { frequencies, JobPolicy, weekdays } from "./job-policy.ts";
import { toCron } from "./policy-cron.ts";

const policy = (more: Record<string, unknown>) =>
  JobPolicy.parse({
    id: "0193f0a0-7c4b-7000-8000-000000000001",
    scheduleFrequency: "daily",
    scheduleHour: "9",
    ...more,
  });

const listErrorPointers = (more: Record<string, unknown>) =>
  checkJobPolicies([policy({}), policy(more)], { useSession: false }).map(({ pointer }) => pointer);

test.each([
  [{ scheduleHour: null }, "/1/scheduleHour"],
  [{ scheduleHour: "24" }, "/1/scheduleHour"],
  [{ scheduleHour: "" }, "/1/scheduleHour"],
  [{ scheduleHour: "1.5" }, "/1/scheduleHour"],
  [{ scheduleMinute: "60" }, "/1/scheduleMinute"],
  [{ scheduleMinute: "-1" }, "/1/scheduleMinute"],
  [{ scheduleFrequency: "weekly" }, "/1/scheduleDay"],
  [{ scheduleFrequency: "weekly", scheduleDay: "Sunday" }, "/1/scheduleDay"],
  [{ scheduleDay: "someday" }, "/1/scheduleDay"],
  [{ scheduleFrequency: "monthly" }, "/1/scheduleDayOfMonth"],
  [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "_32" }, "/1/scheduleDayOfMonth"],
  [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "_0" }, "/1/scheduleDayOfMonth"],
  [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "_01" }, "/1/scheduleDayOfMonth"],
  [{ scheduleFrequency: "monthly", scheduleDayOfMonth: "1" }, "/1/scheduleDayOfMonth"],
  [{ timezone: "Europe/Atlantis" }, "/1/timezone"],
  [{ timezone: "+01:00" }, "/1/timezone"],
  [{ timezone: "BST" }, "/1/timezone"],
  [{ timezone: "SystemV/EST5" }, "/1/timezone"],
  [{ timezone: "" }, "/1/timezone"],
  [{ timeout: 0 }, "/1/timeout"],
  [{ timeout: 901 }, "/1/timeout"],
])("%o is refused at its place", (more, pointer) => {
  expect(listErrorPointers(more)).toEqual([pointer]);
});

test.each([
  {},
  { scheduleFrequency: "hourly", scheduleHour: null, scheduleMinute: "05" },
  { scheduleFrequency: "weekly", scheduleDay: "sunday", timezone: "Asia/Kathmandu" },
  { scheduleFrequency: "monthly", scheduleDayOfMonth: "_last", timezone: "US/Eastern" },
  { timezone: "UTC" },
  { timezone: "Etc/GMT+5" },
  { timezone: "GB-Eire" },
  { timeout: 900, prompt: "Go" },
])("%o is accepted", (more) => {
  expect(listErrorPointers(more)).toEqual([]);
});

test("an accepted policy has a cron expression, a refused one has none", () => {
  const text = (...values: string[]) =>
    fc.constantFrom(null, "", "x", "00", "7", "23", "59", ...values);
  fc.assert(
    fc.property(
      fc.record({
        scheduleFrequency: fc.constantFrom(...frequencies),
        scheduleDay: text(...weekdays),
        scheduleDayOfMonth: text("_1", "_31", "_last", "_last ", "_001"),
        scheduleHour: text("24"),
        scheduleMinute: text("60"),
      }),
      (more) => {
        const checked = policy(more);
        if (checkJobPolicies([checked], { useSession: false }).length === 0)
          expect(toCron(checked)).toBeDefined();
        if (!toCron(checked))
          expect(checkJobPolicies([checked], { useSession: false })).not.toEqual([]);
      },
    ),
    { numRuns: propertyRuns(500) },
  );
});
