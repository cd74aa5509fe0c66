import type { FlowError, Span } from "../engine/flow/flow-result.ts";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import { Problem } from "../platform/http/problems.ts";
import { problemType } from "../platform/http/public-address.ts";
import type { ExecutionError, TraceSpan } from "./schemas.ts";

const maxDetailLength = 4_000;

/** Truncates an error detail, which may quote what a user or a server sent. */
const cut = (detail: string): string =>
  detail.length <= maxDetailLength
    ? detail
    : `${detail.slice(0, maxDetailLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** Maps an error to the form on an execution's record. */
export const toExecutionError = (error: FlowError): ExecutionError => ({
  type: problemType(error.slug),
  title: problemRegistry[error.slug].title,
  status: problemRegistry[error.slug].status,
  detail: cut(error.detail),
  step: error.step,
  upstream: error.upstream ?? null,
  upstreamStatus: error.upstreamStatus ?? null,
});

/** Returns a stored error with the URL of its problem type for a caller; null for none. */
export const atBasePath = <Stored extends { type: string }>(
  error: Stored | null | undefined,
  basePath: string,
): Stored | null => (error ? { ...error, type: `${basePath}${error.type}` } : null);

/** Maps the error of an execution to the problem that its caller receives. */
export const toProblem = (
  { slug, detail, step, upstream, upstreamStatus, cause }: FlowError,
  executionId: string,
): Problem =>
  new Problem(slug, cut(detail), {
    members: {
      executionId,
      step,
      ...(slug.startsWith("upstream-") && { upstream, upstreamStatus }),
    },
    cause,
  });

/** Maps a span to its public representation. */
export const toTraceSpan = ({ error, ...span }: Span): TraceSpan => ({
  ...span,
  error: error && {
    type: problemType(error.slug),
    detail: cut(error.detail),
    upstreamStatus: error.upstreamStatus ?? null,
  },
});
