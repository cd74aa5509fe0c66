import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import { withinCallersTime } from "../platform/runtime/aws-retry.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import type { HttpHandler } from "./context.ts";

/** A chain; a method's type, since its links fill the context that Lambda gives before they read it. */
type Chain = {
  run(event: APIGatewayProxyEvent, context: LambdaContext): Promise<APIGatewayProxyResult>;
}["run"];

/** The gateway's time for a whole response, in milliseconds. */
const longestResponseMs = 29_000;

/** Returns a chain as a Lambda handler, whose AWS calls are retried within the caller's time. */
export const toHandler =
  (chain: Chain): HttpHandler =>
  (event, context) =>
    withinCallersTime(Date.now() + longestResponseMs, () => chain(event, context));
