import * as z from "zod";
import { Uuid } from "../../platform/http/ids.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { optionalText, optionalWhole } from "../../values/json/null-as.ts";

/** Frequencies of job policies. */
export const frequencies = ["hourly", "daily", "weekly", "monthly"] as const;

/** Days of weekly policies, first day of the week first. */
export const weekdays = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;

/** Maximum timeout of a policy, equal to that of any execution. */
export const maxTimeoutSeconds = 900;

const SessionName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^\P{Cc}+$/u, "must have no control characters");
const EndUserName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^\P{Cc}+$/u, "must have no control characters")
  .nullish();

/** When and how a revision runs on a schedule; `check-job-policies.ts` validates the values. */
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
      description: `Seconds that an execution may take, 1 to ${maxTimeoutSeconds}.`,
    }),
    prompt: optionalText.meta({
      description: "The input `prompt` of the executions, if the agent declares that parameter.",
    }),
    session: z
      .union([SessionName, refuseUnknown(z.object({ id: SessionName, endUserId: EndUserName }))])
      .nullable()
      .default(null)
      .meta({
        description:
          "The session that its executions continue: an id, or {id, endUserId}. Needs useSession.",
      }),
  })
  .meta({ id: "JobPolicy" });
export type JobPolicy = z.output<typeof JobPolicy>;

/** A job policy in a request; a missing id is generated. */
export const SentJobPolicy = refuseUnknown(
  JobPolicy.extend({ id: Uuid.nullish() }).meta({ id: "SentJobPolicy" }),
);
