import type * as Sdk from "@aws-sdk/client-scheduler";
import { awsRetries } from "../../platform/runtime/aws-retry.ts";
import { scheduleSettings } from "../../platform/runtime/env.ts";
import { once } from "../../platform/runtime/once.ts";
import type { Schedule, Schedules } from "./schedules.ts";

const load = once(async () => {
  const sdk = await import("@aws-sdk/client-scheduler");
  return { sdk, client: new sdk.SchedulerClient({ retryStrategy: awsRetries() }) };
});

/** Retries of a firing that the queue does not accept: one day, the service's maximum. */
const retryPolicy = { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 };

/** Creates the client of the deployment's EventBridge Scheduler group. Loads its SDK on first use. */
export const eventBridgeSchedules = (): Schedules => ({
  put: async (schedule, isKnown) => {
    const { sdk, client } = await load();
    const input = toScheduleInput(schedule);
    const update = () =>
      client
        .send(new sdk.UpdateScheduleCommand(input))
        .catch(unless(sdk.ResourceNotFoundException));
    const create = () =>
      client.send(new sdk.CreateScheduleCommand(input)).catch(unless(sdk.ConflictException));
    for (const write of isKnown ? [update, create, update] : [create, update, create]) {
      if (await write()) return;
    }
    throw new Error(`the schedule ${schedule.name} comes and goes`);
  },
  remove: async (name) => {
    const { sdk, client } = await load();
    const { group } = scheduleSettings();
    await client
      .send(new sdk.DeleteScheduleCommand({ GroupName: group, Name: name }))
      .catch(unless(sdk.ResourceNotFoundException));
  },
});

const toScheduleInput = ({
  name,
  description,
  expression,
  timeZone,
  message,
  isOnce,
}: Schedule): Sdk.CreateScheduleCommandInput => {
  const { group, roleArn, queueArn } = scheduleSettings();
  return {
    GroupName: group,
    Name: name,
    Description: description,
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: timeZone,
    FlexibleTimeWindow: { Mode: "OFF" },
    ...(isOnce && { ActionAfterCompletion: "DELETE" }),
    Target: { Arn: queueArn, RoleArn: roleArn, Input: message, RetryPolicy: retryPolicy },
  };
};

type ErrorClass = abstract new (...args: never[]) => Error;

const unless =
  (expected: ErrorClass) =>
  (error: unknown): undefined => {
    if (!(error instanceof expected)) throw error;
  };
