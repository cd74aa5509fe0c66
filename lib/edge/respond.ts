import type { APIGatewayProxyResult } from "aws-lambda";
import type * as z from "zod";
import type { Headers } from "../platform/http/request.ts";
import { bareContentPolicy, securityHeaders } from "../platform/http/security-headers.ts";
import { log } from "../platform/runtime/log.ts";
import type { Arrived } from "./context.ts";
import { chooseMediaType } from "./protocol.ts";
import type { Row } from "./route.ts";

/** A response before the headers that every response has are added. */
export type HttpResponse = { status: number; headers: Record<string, string>; body: string };

/** A response with a body of another type than JSON, or with its own headers or status. */
export class Reply {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for the status of the row. */
  readonly status: number | undefined;
  constructor(body: string, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** The value that a row's handler returns: of the declared shape, or a whole reply. */
export type RouteResponse<R extends Row> = z.input<NonNullable<R["response"]["schema"]>> | Reply;

/**
 * Returns the response for the output of a handler to a request with these headers. Throws when it does not have the row's
 * declared shape.
 */
export const toHttpResponse = (
  { response, protocol }: Pick<Row, "response" | "protocol">,
  output: unknown,
  headers: Headers,
): HttpResponse => {
  if (output instanceof Reply) {
    return {
      status: output.status ?? response.status,
      headers: { ...output.headers },
      body: output.body,
    };
  }
  const mediaType = chooseMediaType(protocol, headers);
  return jsonResponse(response.status, response.schema?.parse(output), mediaType);
};

const jsonResponse = (status: number, value: unknown, mediaType: string): HttpResponse =>
  value === undefined
    ? { status, headers: {}, body: "" }
    : { status, headers: { "Content-Type": mediaType }, body: JSON.stringify(value) };

/** Status and headers of a response. */
export type Head = { status: number; headers: Record<string, string> };

/** Returns the headers that every response has, with the headers of one response. */
export const responseHeaders = (
  { call, rateLimit: { limit, remaining, resetsAt } }: Arrived,
  headers: Record<string, string> = {},
): Record<string, string> => ({
  ...securityHeaders,
  "Content-Security-Policy": bareContentPolicy,
  ...headers,
  "X-Request-Id": call.requestId,
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(Math.ceil(resetsAt / 1_000)),
});

/**
 * Completes a response: adds the headers that every response has and writes the call's log line. Responses, errors
 * and early returns all come through here, since middy skips `after` hooks on the last two.
 */
export const completeResponse = (
  row: Pick<Row, "operation">,
  context: Arrived,
  { status, headers, body }: HttpResponse,
): APIGatewayProxyResult => {
  const { requestId, startedAt, clock } = context.call;
  log("operation-completed", {
    operation: row.operation,
    requestId,
    status,
    durationMs: clock() - startedAt,
    ...context.ids,
  });
  return { statusCode: status, headers: responseHeaders(context, headers), body };
};
