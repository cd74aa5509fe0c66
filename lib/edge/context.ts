import type middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { Principal } from "../platform/auth/principal.ts";
import type { Database } from "../platform/db/database.ts";
import type { CallContext } from "../platform/http/call-context.ts";
import type { RateLimit } from "../platform/http/rate-limit.ts";
import type { Headers } from "../platform/http/request.ts";
import { withinCallersTime } from "../platform/runtime/aws-retry.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import { withRequestId } from "../platform/runtime/request-scope.ts";
import type { ReadAgent } from "../tenancy/tenant/context.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";

/** Set by `requestContext`. */
export type Arrived = LambdaContext & {
  call: CallContext;
  headers: Headers;
  /** The window that the rate-limit headers show. */
  rateLimit: RateLimit;
  /** Ids for the log line. */
  ids: Record<string, string>;
};
/** Set by `connectTable`. The connection is created on first use. */
export type Connected = Arrived & { database: () => Database };
/** Set by `matchRoute`: the path's variables by the row's names, decoded. */
export type Routed = Arrived & { pathValues: Readonly<Record<string, string>> };
/** Set by `authenticate`. */
export type Admitted = Connected & Routed & { principal: Principal };
/** Set by `resolveTenant`; undefined for a route without a tenant. */
export type InTenant = Admitted & {
  tenant: TenantOwner | undefined;
  /** Set by `authorize` where the row's handler needs the agent and the caller's role was read. */
  readAgent?: ReadAgent | undefined;
};

/**
 * A middleware of the chain. It reads and extends the Lambda context; `Known` is the context after its `before`.
 */
export type Link<Known, Response = unknown> = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  Response,
  Error,
  Known & LambdaContext
>;

/** A Lambda function behind API Gateway. */
export type HttpHandler<Context = LambdaContext> = (
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<APIGatewayProxyResult>;

/** A chain; a method's type, since its links fill the context that Lambda gives before they read it. */
type Chain = {
  run(event: APIGatewayProxyEvent, context: LambdaContext): Promise<APIGatewayProxyResult>;
}["run"];

/** Time limit of API Gateway for a whole response, in milliseconds. */
export const maxResponseMs = 29_000;

/** Returns a chain as a Lambda handler that logs the request's id and retries AWS calls within the caller's time. */
export const toHandler =
  (chain: Chain): HttpHandler =>
  (event, context) =>
    withRequestId(event.requestContext.requestId, () =>
      withinCallersTime(Date.now() + maxResponseMs, () => chain(event, context)),
    );
