import * as z from "zod";
import { optionalText, optionalWhole } from "../../json/null-as.ts";
import { Uuid } from "../../platform/http/ids.ts";

/** How often a job policy runs its agent. */
export const frequencies = ["hourly", "daily", "weekly", "monthly"] as const;

/** The days of a weekly policy, the first of the week first. */
export const weekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** The longest that a policy may let its executions take: as long as any execution may. */
export const longestTimeoutSeconds = 900;

/** When a revision runs by itself; `check-job-policies.ts` says which values fit. */
export const JobPolicy = z
  .object({
    id: Uuid,
    tenantId: optionalText,
    createdAt: optionalWhole,
    modifiedAt: optionalWhole,
    agentId: optionalText,
    agentRevision: optionalWhole,
    scheduleFrequency: z.enum(frequencies),
    scheduleDay: optionalText.meta({
      description: "sunday to saturday; required by weekly policies.",
    }),
    scheduleDayOfMonth: optionalText.meta({
      description: "_1 to _31, or _last; required by monthly policies.",
    }),
    scheduleHour: optionalText.meta({
      description: "0 to 23; required by all but hourly policies.",
    }),
    scheduleMinute: optionalText.meta({ description: "0 to 59; 0 by default." }),
    timezone: optionalText.meta({
      description: "An IANA time zone name; UTC by default.",
    }),
    timeout: optionalWhole.meta({
      description: `Seconds that an execution may take, 1 to ${longestTimeoutSeconds}.`,
    }),
    prompt: optionalText.meta({
      description: "The input `prompt` of the executions, if the agent declares that parameter.",
    }),
  })
  .meta({ id: "JobPolicy" });
export type JobPolicy = z.output<typeof JobPolicy>;

/** The same, as it is sent: one without an id gets a new one. */
export const SentJobPolicy = JobPolicy.extend({ id: Uuid.nullish() }).meta({ id: "SentJobPolicy" });
