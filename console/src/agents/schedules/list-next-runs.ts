import type { JobPolicy } from "../../../../client/openapi.ts";
import { nextOccurrence } from "../../../../lib/agents/job-policy/occurrences.ts";
import { toCron } from "../../../../lib/agents/job-policy/policy-cron.ts";
import { parseTimeZone } from "../../../../lib/agents/job-policy/time-zone.ts";

/** Returns the next times at which a policy runs, Unix milliseconds; none for one that never does. */
export const listNextRuns = (policy: JobPolicy, now: number, count = 3): number[] => {
  const cron = toCron(policy);
  const zone = parseTimeZone(policy.timezone ?? "UTC");
  if (!cron || zone === undefined) return [];
  const times: number[] = [];
  while (times.length < count) times.push(nextOccurrence(cron, zone, times.at(-1) ?? now));
  return times;
};
