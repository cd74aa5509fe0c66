import { Problem, problemRegistry } from "../platform/http/problems.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { log } from "../platform/runtime/log.ts";
import type { Arrived, Link } from "./context.ts";
import { type Answer, problemAnswer } from "./respond.ts";
import type { Row } from "./row.ts";

/** Turns an error into problem details (RFC 9457). One that is not the caller's goes to the log with its cause. */
export const problemDetails = (row: Row): Link<Arrived, Answer> => ({
  onError: (request) => {
    const { context, error } = request;
    const { requestId, path } = context.call;
    if (error instanceof Problem && error.rateLimit) context.rateLimit = error.rateLimit;
    logFault(row, requestId, error);
    request.response = problemAnswer(error, row.inbound ? withoutKey(path) : path, requestId);
  },
});

/** `/v1/tenants/t/webhooks/p/id` of an inbound path, which may go on with a key. */
const withoutKey = (path: string): string => path.split("/").slice(0, 7).join("/");

const logFault = (row: Row, requestId: string, error: unknown): void => {
  if (error instanceof Problem && problemRegistry[error.slug].status < 500) return;
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  log().error(`${row.operation} failed`, { requestId, error: asError(cause) });
};
