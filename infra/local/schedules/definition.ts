import * as z from "zod";
import { type Cron, parseCron } from "../../../lib/agents/job-policy/cron.ts";
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

/** Parses the cron expression and the time zone of a definition; `error` is the message for an invalid one. */
export const parseTiming = ({
  ScheduleExpression,
  ScheduleExpressionTimezone,
}: Pick<ScheduleDefinition, "ScheduleExpression" | "ScheduleExpressionTimezone">):
  | { cron: Cron; timeZone: string }
  | { error: string } => {
  const cron = parseCron(ScheduleExpression);
  if (!cron) return { error: `Invalid Schedule Expression ${ScheduleExpression}.` };
  if (parseTimeZone(ScheduleExpressionTimezone) === undefined) {
    return { error: `Invalid Schedule Expression Timezone ${ScheduleExpressionTimezone}.` };
  }
  return { cron, timeZone: ScheduleExpressionTimezone };
};
