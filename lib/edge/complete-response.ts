import type { APIGatewayProxyResult } from "aws-lambda";
import { log } from "../platform/runtime/log.ts";
import type { Arrived } from "./context.ts";
import { type Answer, toHead } from "./respond.ts";
import type { Row } from "./row.ts";

/** Returns the headers that every response has, as they stand now, with those of one response. */
export const responseHeaders = (
  { call, rateLimit }: Arrived,
  headers: Record<string, string> = {},
): Record<string, string> => toHead({ status: 200, headers }, call.requestId, rateLimit).headers;

/**
 * Completes a response: adds the headers that every response has and writes the call's log line. Responses, errors
 * and early returns all come through here, since middy skips `after` hooks on the last two.
 */
export const completeResponse = (
  row: Pick<Row, "operation">,
  context: Arrived,
  { status, headers, body }: Answer,
): APIGatewayProxyResult => {
  const { requestId, startedAt, clock } = context.call;
  log().info(`${row.operation} completed`, {
    requestId,
    status,
    durationMs: clock() - startedAt,
    ...context.ids,
  });
  return { statusCode: status, headers: responseHeaders(context, headers), body };
};
