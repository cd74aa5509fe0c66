import type { FlowError, Span } from "../../engine/flow/flow-result.ts";
import { Problem, problemRegistry } from "../../platform/http/problems.ts";
import type { ExecutionError, TraceSpan } from "./schemas.ts";

const longestDetail = 4_000;

/** What went wrong, cut where it is longer than anybody reads: it may quote what a user or a server sent. */
const cut = (detail: string): string =>
  detail.length <= longestDetail
    ? detail
    : `${detail.slice(0, longestDetail - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** Why an execution failed, as its record shows it. */
export const toExecutionError = (error: FlowError): ExecutionError => ({
  type: `/problems/${error.slug}`,
  title: problemRegistry[error.slug].title,
  status: problemRegistry[error.slug].status,
  detail: cut(error.detail),
  step: error.step,
  upstream: error.upstream ?? null,
  upstreamStatus: error.upstreamStatus ?? null,
});

/** The problem in which an execution ended, for the caller who waited. */
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

/** A span as a trace shows it. */
export const toTraceSpan = ({ error, ...span }: Span): TraceSpan => ({
  ...span,
  error: error && {
    type: `/problems/${error.slug}`,
    detail: cut(error.detail),
    upstreamStatus: error.upstreamStatus ?? null,
  },
});
