import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { Duration } from "aws-cdk-lib/core";
import type { Construct } from "constructs";
import type { ScheduleRecord } from "../functions.ts";
import { functionName } from "../names.ts";
import { type FunctionSurroundings, makeFunction } from "./function-maker.ts";
import type { ProductFunction } from "./product-function.ts";

/**
 * The function of a job, with the rule that starts it; that rule alone may. A start that fails is not tried
 * again, and one that came too late is dropped: the next one is soon enough, and does the work of both.
 */
export const scheduledJob = (
  scope: Construct,
  record: ScheduleRecord,
  surroundings: FunctionSurroundings,
): ProductFunction => {
  const every = Duration.minutes(record.everyMinutes);
  const job = makeFunction(scope, record, surroundings, {
    description: `Runs every ${every.toHumanString()}`,
    environment: {},
    statements: [],
  });
  const oneStart = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
  job.lambda.configureAsyncInvoke(oneStart);
  new Rule(job, "Clock", {
    ruleName: functionName(surroundings.config.STACK_PREFIX, record.name),
    schedule: Schedule.rate(every),
    targets: [new LambdaFunction(job.lambda, oneStart)],
  });
  return job;
};
