import type { ValidationIssue } from "../../platform/http/problems.ts";
import { type JobPolicy, maxTimeoutSeconds, weekdays } from "./job-policy.ts";
import { readDayOfMonth, readNumber } from "./policy-cron.ts";
import { parseTimeZone } from "./time-zone.ts";

type Member = keyof JobPolicy;

/** Validates job policies; returns errors with pointers such as `/0/scheduleHour`. */
export const checkJobPolicies = (
  policies: readonly JobPolicy[],
  { useSession }: { useSession: boolean },
): ValidationIssue[] =>
  policies.flatMap((policy, at) =>
    [...missing(policy), ...unfit(policy), ...unused(policy, useSession)].map(
      ([member, detail]) => ({
        pointer: `/${at}/${member}`,
        detail,
      }),
    ),
  );

const needed: Readonly<Record<JobPolicy["scheduleFrequency"], readonly Member[]>> = {
  hourly: [],
  daily: ["scheduleHour"],
  weekly: ["scheduleHour", "scheduleDay"],
  monthly: ["scheduleHour", "scheduleDayOfMonth"],
};

const missing = (policy: JobPolicy): [Member, string][] =>
  needed[policy.scheduleFrequency]
    .filter((member) => policy[member] === null)
    .map((member) => [member, `is needed by a ${policy.scheduleFrequency} policy`]);

const unused = ({ session }: JobPolicy, useSession: boolean): [Member, string][] =>
  session === null || useSession ? [] : [["session", 'needs a revision with "useSession"']];

const unfit = (policy: JobPolicy): [Member, string][] => {
  const { scheduleDay, scheduleDayOfMonth, scheduleHour, scheduleMinute, timezone, timeout } =
    policy;
  const fits: [Member, boolean, string][] = [
    ["scheduleDay", weekdays.some((name) => name === scheduleDay), "must be sunday to saturday"],
    [
      "scheduleDayOfMonth",
      readDayOfMonth(scheduleDayOfMonth) !== undefined,
      "must be _1 to _31, or _last",
    ],
    ["scheduleHour", readNumber(scheduleHour, 23) !== undefined, "must be 0 to 23, as a string"],
    [
      "scheduleMinute",
      readNumber(scheduleMinute, 59) !== undefined,
      "must be 0 to 59, as a string",
    ],
    [
      "timezone",
      parseTimeZone(timezone ?? "") !== undefined,
      "must be a name of the IANA time zone database, such as Europe/Berlin",
    ],
    [
      "timeout",
      timeout !== null && timeout >= 1 && timeout <= maxTimeoutSeconds,
      `must be 1 to ${maxTimeoutSeconds} seconds`,
    ],
  ];
  return fits.flatMap(([member, isFit, detail]) =>
    policy[member] === null || isFit ? [] : [[member, detail]],
  );
};
