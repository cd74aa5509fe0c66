import * as z from "zod";
import { parseCron } from "../../../lib/agents/job-policy/cron.ts";
import { nextOccurrence } from "../../../lib/agents/job-policy/occurrences.ts";
import { parseTimeZone } from "../../../lib/agents/job-policy/time-zone.ts";

/** The supported parameters of CreateSchedule and UpdateSchedule. */
export const ScheduleDefinition = z.object({
  GroupName: z.string().default("default"),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default("UTC"),
  FlexibleTimeWindow: z.object({ Mode: z.literal("OFF") }),
  State: z.enum(["ENABLED", "DISABLED"]).default("ENABLED"),
  Description: z.string().max(512).optional(),
  ClientToken: z.string().optional(),
  ActionAfterCompletion: z.enum(["NONE", "DELETE"]).default("NONE"),
  Target: z.object({
    Arn: z.string(),
    RoleArn: z.string(),
    Input: z.string().min(1).max(262_144).optional(),
    RetryPolicy: z
      .object({
        MaximumEventAgeInSeconds: z.int().min(60).max(86_400).optional(),
        MaximumRetryAttempts: z.int().min(0).max(185).optional(),
      })
      .optional(),
  }),
});
export type ScheduleDefinition = z.output<typeof ScheduleDefinition>;

/** When a schedule fires. */
export type Timing = {
  readonly isOnce: boolean;
  /** Returns the first time after a time, Unix milliseconds; undefined for none. */
  next(after: number): number | undefined;
};

const atExpression = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\)$/;

/**
 * Parses a cron expression in its time zone, or the time of `at(yyyy-mm-ddThh:mm:ss)` in UTC; `error` is the message for
 * an invalid one.
 */
export const parseTiming = ({
  ScheduleExpression,
  ScheduleExpressionTimezone,
}: Pick<ScheduleDefinition, "ScheduleExpression" | "ScheduleExpressionTimezone">):
  | Timing
  | { error: string } => {
  const once = atExpression.exec(ScheduleExpression)?.[1];
  const time = Date.parse(`${once}Z`);
  if (!Number.isNaN(time) && ScheduleExpressionTimezone === "UTC") {
    return { isOnce: true, next: (after) => (time > after ? time : undefined) };
  }
  const cron = parseCron(ScheduleExpression);
  if (!cron) return { error: `Invalid Schedule Expression ${ScheduleExpression}.` };
  if (parseTimeZone(ScheduleExpressionTimezone) === undefined) {
    return { error: `Invalid Schedule Expression Timezone ${ScheduleExpressionTimezone}.` };
  }
  const timeZone = ScheduleExpressionTimezone;
  return { isOnce: false, next: (after) => nextOccurrence(cron, timeZone, after) };
};
