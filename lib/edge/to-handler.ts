import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { LambdaContext } from "../runtime/lambda-context.ts";
import type { HttpHandler } from "./context.ts";

/** A chain; a method's type, since its links fill the context that Lambda gives before they read it. */
type Chain = {
  run(event: APIGatewayProxyEvent, context: LambdaContext): Promise<APIGatewayProxyResult>;
}["run"];

/** Returns a chain as the Lambda handler that it is. */
export const toHandler =
  (chain: Chain): HttpHandler =>
  (event, context) =>
    chain(event, context);
