import { createHash } from "node:crypto";
import {
  formatTraceparent,
  parseTraceparent,
  type TraceContext,
} from "../../platform/tracing/trace-context.ts";

/** The execution that a trace is of, and the context in which it was started. */
type Traced = { id: string; traceContext?: TraceContext | undefined };

/** An execution that continues no trace is sampled. */
const sampled = "01";

const withoutDashes = (id: string): string => id.replaceAll("-", "");

/** Returns the trace of an execution: that in which it was started, or one that follows from its id. */
export const deriveTraceId = ({ id, traceContext }: Traced): string =>
  readParent(traceContext)?.traceId ?? withoutDashes(id);

/** Returns the span of an execution: the end of its id, which is random or that of a digest. */
export const deriveRootSpanId = (id: string): string => withoutDashes(id).slice(16);

/** Returns the id that a span of an execution's trace has in other systems. */
export const deriveSpanId = (executionId: string, spanId: string): string => {
  const digest = createHash("sha256").update(`${executionId}/${spanId}`).digest("hex");
  // An id of zeros alone is not valid.
  return `${digest.slice(0, 15)}${digest.slice(15, 16) === "0" ? "1" : digest.slice(15, 16)}`;
};

/** Returns the context in which a span of an execution starts other work. */
export const traceContextBelow = (execution: Traced, spanId: string): TraceContext => {
  const { traceContext } = execution;
  const traceparent = formatTraceparent({
    traceId: deriveTraceId(execution),
    spanId: deriveSpanId(execution.id, spanId),
    flags: readParent(traceContext)?.flags ?? sampled,
  });
  const { tracestate } = traceContext ?? {};
  return { traceparent, ...(tracestate !== undefined && { tracestate }) };
};

/** Returns the span and the flags of the context in which an execution was started. */
export const readParent = (context: TraceContext | undefined) =>
  context && parseTraceparent(context.traceparent);
