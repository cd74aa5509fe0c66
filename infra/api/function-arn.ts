import { Aws } from "aws-cdk-lib/core";
import type { LambdaArn } from "./integration.ts";

/** Returns the ARN of a function by its physical name, so that its stack can be updated on its own. */
export const functionArn = (physicalName: string): LambdaArn =>
  `arn:${Aws.PARTITION}:lambda:${Aws.REGION}:${Aws.ACCOUNT_ID}:function:${physicalName}`;
