import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from "aws-lambda";
import { type RateLimit, uncounted } from "../auth/rate-limit.ts";
import { asError } from "../runtime/as-error.ts";
import { rateLimitSettings, resourceMethods } from "../runtime/env.ts";
import { log } from "../runtime/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { routeMatcher } from "./match-route.ts";
import { Problem, pathTooLong, payloadTooLarge, problemRegistry } from "./problems.ts";
import { bodySize, type Headers, headersOf } from "./request.ts";
import { type Answer, type Head, problemAnswer, toAnswer, toHead } from "./respond.ts";
import type { Route } from "./route.ts";

const largestBodyBytes = 1_048_576;
const largestDeliveryBytes = 4 * 1_048_576;
/** Characters of a path as it was sent; no id or key comes near. */
const longestPath = 2_048;
/** The gateway's time for a whole answer. */
const longestAnswerMs = 29_000;

/** What is known of a call whatever its route. Times in Unix milliseconds. */
export type CallContext = Runtime & {
  requestId: string;
  startedAt: number;
  /** When the function will be cut off. */
  deadline: number;
  /** When the answer must have begun. */
  answerBy: number;
  method: string;
  /** As it was sent, percent-encoded, without the query. */
  path: string;
  /** Where the API is for this caller, such as https://api.example.com/live; no slash at the end. */
  baseUrl: string;
  sourceIp: string;
  userAgent: string | null;
};

/** A call on its way through its stages. */
export type Call = {
  event: APIGatewayProxyEvent;
  headers: Headers;
  /** The path's variables by the row's names, decoded. */
  pathValues: Readonly<Record<string, string>>;
  context: CallContext;
  /** Sets what the rate-limit headers will say. */
  reportRateLimit: (rateLimit: RateLimit) => void;
  /** Adds ids to the call's log line. */
  note: (ids: Record<string, string>) => void;
  /** The headers that every answer has, as they stand now. */
  headersOfAnswer: () => Record<string, string>;
};

/** What of Lambda's context is used. */
export type LambdaContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

/** A Lambda function behind API Gateway. */
export type HttpHandler = (
  event: APIGatewayProxyEvent,
  context: LambdaContext,
) => Promise<APIGatewayProxyResult>;

/**
 * What every endpoint does around its own work: the first two checks (route, then size), the answer in
 * the row's declared shape or as a problem, the headers that every answer has, and one line of log.
 */
export const answerCalls = (
  row: Route,
  runtime: Runtime,
  work: (call: Call) => Promise<unknown>,
): HttpHandler => {
  const answer = callAnswerer(row, runtime, work);
  return async (event, lambda) => {
    const { status, headers, body } = await answer(event, lambda);
    return { statusCode: status, headers, body };
  };
};

/** An answer with all its headers. */
export type WholeAnswer = Head & { body: string };

/** The part of `answerCalls` that does not depend on how the answer is sent. */
export const callAnswerer = (
  row: Route,
  runtime: Runtime,
  work: (call: Call) => Promise<unknown>,
): ((event: APIGatewayProxyEvent, lambda: LambdaContext) => Promise<WholeAnswer>) => {
  const match = routeMatcher(row);
  const largest = row.inbound ? largestDeliveryBytes : largestBodyBytes;
  return async (event, lambda) => {
    const startedAt = runtime.clock();
    const requestId = event.requestContext.requestId;
    const { unauthenticatedRequests, windowSeconds } = rateLimitSettings();
    let rateLimit = uncounted(unauthenticatedRequests, {
      now: startedAt,
      windowMs: windowSeconds * 1_000,
    });
    const ids: Record<string, string> = {};
    const answer = async (): Promise<Answer> => {
      if (event.path.length > longestPath) throw pathTooLong(longestPath);
      const pathValues = match(event, resourceMethods());
      if (bodySize(event) > largest) throw payloadTooLarge(largest);
      const headers = headersOf(event);
      const deadline = startedAt + lambda.getRemainingTimeInMillis();
      const output = await work({
        event,
        headers,
        pathValues,
        context: {
          ...runtime,
          requestId,
          startedAt,
          deadline,
          answerBy: Math.min(deadline, startedAt + longestAnswerMs),
          method: event.httpMethod,
          path: event.path,
          baseUrl: baseUrlOf(event, headers),
          sourceIp: event.requestContext.identity.sourceIp,
          userAgent: headers.get("user-agent")?.[0] ?? null,
        },
        reportRateLimit: (reported) => {
          rateLimit = reported;
        },
        note: (more) => Object.assign(ids, more),
        headersOfAnswer: () => toHead({ status: 200, headers: {} }, requestId, rateLimit).headers,
      });
      return toAnswer(row, output);
    };
    const answered = await answer().catch((error: unknown) => {
      if (error instanceof Problem && error.rateLimit) rateLimit = error.rateLimit;
      logFault(row, requestId, error);
      return problemAnswer(error, row.inbound ? withoutKey(event.path) : event.path, requestId);
    });
    log().info(`${row.operation} completed`, {
      requestId,
      status: answered.status,
      durationMs: runtime.clock() - startedAt,
      ...ids,
    });
    return { ...toHead(answered, requestId, rateLimit), body: answered.body };
  };
};

/** `/v1/tenants/t/webhooks/p/id` of an inbound path, which may go on with a key. */
const withoutKey = (path: string): string => path.split("/").slice(0, 7).join("/");

/** With an address of API Gateway's own, the stage is part of the path, but not of `event.path`. */
const baseUrlOf = ({ path, requestContext }: APIGatewayProxyEvent, headers: Headers): string => {
  const scheme = headers.get("x-forwarded-proto")?.[0] === "https" ? "https" : "http";
  const prefix = requestContext.path?.endsWith(path)
    ? requestContext.path.slice(0, -path.length)
    : "";
  return `${scheme}://${requestContext.domainName ?? ""}${prefix}`;
};

/** What is the caller's fault stands in the answer; what is not, with its cause, in the log alone. */
const logFault = (row: Route, requestId: string, error: unknown): void => {
  if (error instanceof Problem && problemRegistry[error.slug].status < 500) return;
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  log().error(`${row.operation} failed`, {
    requestId,
    error: asError(cause),
  });
};
