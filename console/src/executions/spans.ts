import type { ExecutionTrace } from "../../../client/openapi.ts";
import type { StepState } from "../flow-graph/step-state.ts";

/** A span of a trace. */
export type Span = ExecutionTrace["spans"][number];

/** The spans of an execution as a tree. */
export type SpanTree = {
  /** Spans of steps; an attempt has one. */
  roots: readonly Span[];
  /** Returns the spans inside a span, earlier ones first. */
  inside: (span: Span) => readonly Span[];
  find: (id: string | undefined) => Span | undefined;
};

/** Iterations of a loop that started at the same time are in the order of their items. */
const inOrder = new Intl.Collator("en", { numeric: true });

/** Makes a tree of spans. */
export const buildSpanTree = (spans: readonly Span[]): SpanTree => {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const sorted = spans.toSorted(
    (left, right) => left.startTime - right.startTime || inOrder.compare(left.stepId, right.stepId),
  );
  const byParent = Map.groupBy(sorted, ({ parentId }) =>
    parentId !== null && byId.has(parentId) ? parentId : "",
  );
  return {
    roots: byParent.get("") ?? [],
    inside: ({ id }) => byParent.get(id) ?? [],
    find: (id) => (id === undefined ? undefined : byId.get(id)),
  };
};

/** Returns the id of the flow's step that a span belongs to; an iteration of a ForEach has `STEP/INDEX`. */
export const toFlowStepId = ({ stepId }: Span): string => stepId.split("/")[0] ?? stepId;

const countDepth = (id: string): number => id.split("/").length;

/** Reports whether a span is an iteration of a ForEach: its step is deeper than the span around it. */
export const isIteration = ({ stepId, parentId }: Span): boolean =>
  parentId !== null && countDepth(stepId) > countDepth(parentId);

/** Names a span; the checks of a place by it, an iteration by its number, and by the tool that it calls. */
export const spanName = (span: Span): string => {
  const { index, tool, name, type } = span;
  if (type === "Guardrail") return `Guardrails: ${name}`;
  if (index === null || !isIteration(span)) return name;
  return tool === null ? `Item ${index}` : `Item ${index}: ${tool}`;
};

/** A span with its depth below the execution. */
export type PlacedSpan = { span: Span; depth: number; hasInside: boolean };

/** Orders spans as a tree: those inside a span follow it, unless it is closed. */
export const placeSpans = (tree: SpanTree, closed: ReadonlySet<string>): PlacedSpan[] => {
  const place = (spans: readonly Span[], depth: number): PlacedSpan[] =>
    spans.flatMap((span) => {
      const inside = tree.inside(span);
      const below = closed.has(span.id) ? [] : place(inside, depth + 1);
      return [{ span, depth, hasInside: inside.length > 0 }, ...below];
    });
  return place(tree.roots, 0);
};

/** Tokens and dollars; not `priced` if a part of them has no price. */
type Used = { tokens: number; cost: number; priced: boolean };

/** Tokens and cost of a span; those of a loop are the sum of its iterations. */
export const sumUsage = (tree: SpanTree, span: Span): Used => {
  const { usage, cost, priced } = span;
  if (usage) {
    const tokens = usage.inputTokens + usage.outputTokens;
    return { tokens, cost: cost?.totalCost ?? 0, priced: priced !== false };
  }
  const inside = tree.inside(span).map((child) => sumUsage(tree, child));
  return {
    tokens: inside.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: inside.reduce((sum, child) => sum + child.cost, 0),
    priced: inside.every((child) => child.priced),
  };
};

/** Converts the spans of steps to their states; the last attempt of a step counts. */
export const toStepStates = (tree: SpanTree): Map<string, StepState> =>
  new Map(tree.roots.map((span) => [span.stepId, toStepState(tree, span)]));

const toStepState = (tree: SpanTree, span: Span): StepState => {
  const { status, startTime, endTime, input, output, error } = span;
  const items = tree.inside(span).filter(isIteration);
  const failed = items.filter((item) => item.status === "Failed").length;
  return {
    status,
    durationMs: status === "Skipped" ? undefined : endTime - startTime,
    ...sumUsage(tree, span),
    ...(items.length > 0 && { items: { count: items.length, failed } }),
    input,
    output,
    error: error?.detail,
  };
};
