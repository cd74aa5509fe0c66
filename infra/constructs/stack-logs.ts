import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy, Stack } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/**
 * A log group with the name of its stack, so that commands find it. Deleted with its stack: logs contain IDs, never
 * bodies.
 */
export const stackLogs = (scope: Construct, id: string, retention: RetentionDays): LogGroup =>
  new LogGroup(scope, id, {
    logGroupName: Stack.of(scope).stackName,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
