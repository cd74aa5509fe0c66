import type { APIGatewayProxyEvent } from "aws-lambda";
import { uncounted } from "../platform/auth/rate-limit.ts";
import type { CallContext } from "../platform/http/call-context.ts";
import { publicAddress } from "../platform/http/public-address.ts";
import { readEventHeaders } from "../platform/http/request.ts";
import { consoleUrl, originSecret, publicUrl, rateLimitSettings } from "../platform/runtime/env.ts";
import type { LambdaContext } from "../platform/runtime/lambda-context.ts";
import type { Runtime } from "../platform/runtime/runtime.ts";
import { readTraceContext } from "../platform/tracing/trace-context.ts";
import { type Arrived, type Link, maxResponseMs } from "./context.ts";
import { completeResponse, type HttpResponse } from "./respond.ts";
import type { Row } from "./route.ts";
import { originSecretHeader, readViewerAddress } from "./viewer-address.ts";

/** Sets the call's metadata; completes the response. */
export const requestContext = (row: Row, runtime: Runtime): Link<Arrived, HttpResponse> => {
  const complete = ({
    context,
    response,
  }: {
    context: Arrived;
    response?: HttpResponse | null | undefined;
  }) => (response ? completeResponse(row, context, response) : undefined);
  return {
    before: ({ event, context }) => {
      Object.assign(context, arrive(event, context, runtime));
    },
    after: complete,
    onError: complete,
  };
};

const arrive = (
  event: APIGatewayProxyEvent,
  lambda: LambdaContext,
  runtime: Runtime,
): Omit<Arrived, keyof LambdaContext> => {
  const startedAt = runtime.clock();
  const { unauthenticatedRequests, windowSeconds } = rateLimitSettings();
  const received = readEventHeaders(event);
  const viewer = readViewerAddress(received, originSecret());
  // The origin's secret goes no further: deliveries keep their headers.
  const headers = new Map([...received].filter(([name]) => name !== originSecretHeader));
  const scheme = headers.get("x-forwarded-proto")?.[0] === "https" ? "https" : "http";
  const deadline = startedAt + lambda.getRemainingTimeInMillis();
  const call: CallContext = {
    ...runtime,
    requestId: event.requestContext.requestId,
    startedAt,
    deadline,
    respondBy: Math.min(deadline, startedAt + maxResponseMs),
    method: event.httpMethod,
    path: event.path,
    ...publicAddress(event, scheme, { api: publicUrl(), console: consoleUrl() }),
    sourceIp: viewer ?? event.requestContext.identity.sourceIp,
    userAgent: headers.get("user-agent")?.[0] ?? null,
    traceContext: readTraceContext(headers),
  };
  const rateLimit = uncounted(unauthenticatedRequests, {
    now: startedAt,
    windowMs: windowSeconds * 1_000,
  });
  return { call, headers, rateLimit, ids: {} };
};
