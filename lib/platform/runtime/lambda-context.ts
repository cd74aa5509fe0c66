import type { Context } from "aws-lambda";

/** The part of Lambda's context that functions use. */
export type LambdaContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;
