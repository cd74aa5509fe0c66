import type middy from "@middy/core";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { Principal } from "../platform/auth/principal.ts";
import type { RateLimit } from "../platform/auth/rate-limit.ts";
import type { Headers } from "../platform/http/request.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import type { TenantOwner } from "../tenancy/tenant/store.ts";
import type { Once } from "./claim.ts";

/** Facts of a call, whatever its route. Times in Unix milliseconds. */
export type CallContext = Runtime & {
  requestId: string;
  startedAt: number;
  /** When the function will be cut off. */
  deadline: number;
  /** When the response must have begun. */
  answerBy: number;
  method: string;
  /** As it was sent, percent-encoded, without the query. */
  path: string;
  /** Where the API is for this caller, such as https://api.example.com/live; no slash at the end. */
  baseUrl: string;
  sourceIp: string;
  userAgent: string | null;
};

/** The context of a handler whose route has no tenant. */
export type OrganizationContext = CallContext & { principal: Principal };
/** The context of a handler whose route has a tenant. */
export type TenantContext = OrganizationContext & {
  tenant: TenantOwner;
  /** Undefined without an Idempotency-Key. */
  once?: Once | undefined;
};

/** Set by `requestContext`. */
export type Arrived = LambdaContext & {
  call: CallContext;
  headers: Headers;
  /** The window that the rate-limit headers show. */
  rateLimit: RateLimit;
  /** Ids for the log line. */
  ids: Record<string, string>;
};
/** Set by `matchRoute`: the path's variables by the row's names, decoded. */
export type Routed = Arrived & { pathValues: Readonly<Record<string, string>> };
/** Set by `authenticate`. */
export type Admitted = Routed & { principal: Principal };
/** Set by `resolveTenant`; undefined for a route without a tenant. */
export type InTenant = Admitted & { tenant: TenantOwner | undefined };

/**
 * A middleware of the chain. What it needs and what it finds is on the Lambda context, which grows from link to
 * link; `Known` is what is there once its `before` has run.
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
