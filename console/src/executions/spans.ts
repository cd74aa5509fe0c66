import type { ExecutionTrace } from "../../../client/openapi.ts";
import type { StepState } from "../agents/flow/step-state.ts";

/** A span of a trace. */
export type Span = ExecutionTrace["spans"][number];

/** A span with its depth below the execution. */
export type PlacedSpan = { span: Span; depth: number };

/** Orders spans as a tree: children follow their parent, earlier ones first. */
export const placeSpans = (spans: readonly Span[]): PlacedSpan[] => {
  const ids = new Set(spans.map(({ id }) => id));
  const childrenOf = Map.groupBy(spans, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : "",
  );
  const place = (parent: string, depth: number): PlacedSpan[] =>
    (childrenOf.get(parent) ?? [])
      .toSorted((left, right) => left.startTime - right.startTime)
      .flatMap((span) => [{ span, depth }, ...place(span.id, depth + 1)]);
  return place("", 0);
};

/** Converts the spans of steps to their states; the last attempt of a step counts. */
export const stepStatesOf = (spans: readonly Span[]): Map<string, StepState> =>
  new Map(
    spans
      .filter(({ parentId }) => parentId === null)
      .toSorted((left, right) => left.startTime - right.startTime)
      .map((span) => [span.stepId, stateOf(span)]),
  );

const stateOf = (span: Span): StepState => {
  const { status, startTime, endTime, usage, cost, input, output, error } = span;
  return {
    status,
    durationMs: endTime - startTime,
    tokens: usage ? usage.inputTokens + usage.outputTokens : undefined,
    cost: cost?.totalCost,
    input,
    output,
    error: error?.detail,
  };
};
