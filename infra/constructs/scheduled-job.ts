import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { ScheduleRecord } from "../functions/function-records.ts";
import { functionName } from "../settings/names.ts";
import { makeFunction, type StackSurroundings } from "./function-maker.ts";
import type { ProductFunction } from "./product-function.ts";

/**
 * Creates the function of a job and its rule, the only permitted invoker. Failed and late invocations are not retried:
 * the next one does their work.
 */
export const scheduledJob = (
  scope: Construct,
  record: ScheduleRecord,
  surroundings: StackSurroundings,
): ProductFunction => {
  const every = Duration.minutes(record.everyMinutes);
  const job = makeFunction(scope, record, surroundings, {
    description: `Runs every ${every.toHumanString()}`,
    environment: {},
    statements: [],
  });
  const withoutRetry = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
  job.lambda.configureAsyncInvoke(withoutRetry);
  new Rule(job, "Clock", {
    ruleName: functionName(surroundings.config.STACK_PREFIX, record.name),
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(job.lambda, withoutRetry)],
  });
  return job;
};
