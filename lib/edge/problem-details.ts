import { problemRegistry } from "../platform/http/problem-registry.ts";
import { internalError, Problem, serviceUnavailable } from "../platform/http/problems.ts";
import { buildChallenge, buildResourceUrls } from "../platform/http/protected-resource.ts";
import { problemType } from "../platform/http/public-address.ts";
import { asError } from "../platform/runtime/as-error.ts";
import { isUnavailable } from "../platform/runtime/aws-retry.ts";
import { log } from "../platform/runtime/log.ts";
import type { Arrived, Link, Routed } from "./context.ts";
import { formatInstance } from "./instance.ts";
import type { Parsed } from "./parse-request.ts";
import { protocols } from "./protocols.ts";
import type { HttpResponse } from "./respond.ts";
import type { Row } from "./route.ts";
import { findPathProtocol } from "./unknown-path.ts";

/** Media type of a problem document. */
export const problemMediaType = "application/problem+json";

/**
 * Responds to errors with problem details (RFC 9457), or in the format of the row's protocol. Logs server errors with their cause.
 */
export const problemDetails = (row: Row): Link<Arrived & Partial<Parsed<Row>>, HttpResponse> => ({
  onError: (request) => {
    const { context, error } = request;
    const { call, headers, input } = context;
    const { requestId, path, basePath } = call;
    if (error instanceof Problem && error.rateLimit) context.rateLimit = error.rateLimit;
    logFault(row, requestId, error);
    const problem = toProblem(error);
    const protocol = row.protocol ?? findPathProtocol(path);
    if (protocol) {
      const failed = { requestId, headers, body: input?.body };
      request.response = protocols[protocol].toErrorResponse(problem, failed);
      return;
    }
    request.response = problemResponse(problem, {
      instance: formatInstance(row, path),
      requestId,
      basePath,
    });
    if (row.isOAuthResource) addChallenge(row, context, request.response);
  },
});

const refusals: Readonly<Record<number, "invalid_token" | "insufficient_scope">> = {
  401: "invalid_token",
  403: "insufficient_scope",
};

/** Names the metadata of a resource in its refusals, so that a client finds where its user signs in. */
const addChallenge = (
  { path, scope }: Row,
  { call, headers, pathValues }: Arrived & Partial<Routed>,
  response: HttpResponse,
): void => {
  const error = refusals[response.status];
  if (!error) return;
  const isAnonymous = !headers.has("authorization") && !headers.has("x-api-key");
  const { metadata } = buildResourceUrls(call.baseUrl, path, pathValues ?? {});
  response.headers["WWW-Authenticate"] = buildChallenge({
    metadata,
    scope,
    error: isAnonymous ? undefined : error,
  });
};

const logFault = (row: Row, requestId: string, error: unknown): void => {
  if (error instanceof Problem && problemRegistry[error.slug].status < 500) return;
  const cause = error instanceof Problem ? (error.cause ?? error) : error;
  log("operation-failed", { operation: row.operation, requestId, error: asError(cause) });
};

/** Returns the problem for any error: 503 for storage that is busy or unavailable, 500 without details otherwise. */
const toProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  return isUnavailable(error) ? serviceUnavailable("The storage", error) : internalError(error);
};

const problemResponse = (
  problem: Problem,
  { instance, requestId, basePath }: { instance: string; requestId: string; basePath: string },
): HttpResponse => {
  const { status, title } = problemRegistry[problem.slug];
  return {
    status,
    headers: { ...problem.headers, "Content-Type": problemMediaType },
    body: JSON.stringify({
      type: problemType(problem.slug, basePath),
      title,
      status,
      detail: problem.message,
      instance,
      requestId,
      ...problem.members,
    }),
  };
};
