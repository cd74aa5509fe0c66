import {
  internalError,
  Problem,
  problemRegistry,
  serviceUnavailable,
} from "../platform/http/problems.ts";
import type { RateLimit } from "../platform/http/rate-limit.ts";
import { isUnavailable } from "../platform/runtime/aws-retry.ts";
import type { Route } from "./route.ts";

/** What an answer consists of before the headers that every answer has. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

/** Answers with a body of another type than JSON, or with headers or a status of its own. */
export class Reply {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for the row's own. */
  readonly status: number | undefined;
  constructor(body: string, headers: Readonly<Record<string, string>>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** What a handler returned, as its row's answer. Throws when it has not the declared shape. */
export const toAnswer = ({ response }: Pick<Route, "response">, output: unknown): Answer => {
  if (output instanceof Reply) {
    return {
      status: output.status ?? response.status,
      headers: { ...output.headers },
      body: output.body,
    };
  }
  return jsonAnswer(response.status, response.schema?.parse(output));
};

const jsonAnswer = (status: number, value: unknown): Answer =>
  value === undefined
    ? { status, headers: {}, body: "" }
    : { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };

/** Returns the problem for any error: 503 for storage that is busy or out of reach, 500 without details for the rest. */
const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isUnavailable(error) ? serviceUnavailable("The storage", error) : internalError(error);
};

/** An RFC 9457 problem document. */
export const problemAnswer = (error: unknown, instance: string, requestId: string): Answer => {
  const problem = toProblem(error);
  const { status, title } = problemRegistry[problem.slug];
  return {
    status,
    headers: { ...problem.headers, "Content-Type": "application/problem+json" },
    body: JSON.stringify({
      type: `/problems/${problem.slug}`,
      title,
      status,
      detail: problem.message,
      instance,
      requestId,
      ...problem.members,
    }),
  };
};

/** Status and headers of an answer. */
export type Head = { status: number; headers: Record<string, string> };

/** The answer's head with the headers that every answer has, errors included. */
export const toHead = (
  { status, headers }: Head,
  requestId: string,
  { limit, remaining, resetsAt }: RateLimit,
): Head => ({
  status,
  headers: {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
    "X-Request-Id": requestId,
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(resetsAt / 1_000)),
  },
});
