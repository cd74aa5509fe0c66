import { LogGroup, type RetentionDays } from "aws-cdk-lib/aws-logs";
import { RemovalPolicy } from "aws-cdk-lib/core";
import type { Construct } from "constructs";

/** The log group of a stack's functions. Deleted with its stack: logs contain IDs, never bodies. */
export const functionLogs = (scope: Construct, retention: RetentionDays): LogGroup =>
  new LogGroup(scope, "Logs", { retention, removalPolicy: RemovalPolicy.DESTROY });
