import type { FlowError, Span } from "../flow/flow-result.ts";
import { Problem, problemRegistry } from "../http/problems.ts";
import type { ExecutionError, TraceSpan } from "./schemas.ts";

/** Why an execution failed, as its record shows it. */
export const toExecutionError = (error: FlowError): ExecutionError => ({
  type: `/problems/${error.slug}`,
  title: problemRegistry[error.slug].title,
  status: problemRegistry[error.slug].status,
  detail: error.detail,
  step: error.step,
  upstream: error.upstream ?? null,
  upstreamStatus: error.upstreamStatus ?? null,
});

/** The problem in which an execution ended, for the caller who waited. */
export const toProblem = (
  { slug, detail, step, upstream, upstreamStatus, cause }: FlowError,
  executionId: string,
): Problem =>
  new Problem(slug, detail, { members: { executionId, step, upstream, upstreamStatus }, cause });

/** A span as a trace shows it. */
export const toTraceSpan = ({ error, ...span }: Span): TraceSpan => ({
  ...span,
  error: error && {
    type: `/problems/${error.slug}`,
    detail: error.detail,
    upstreamStatus: error.upstreamStatus ?? null,
  },
});
