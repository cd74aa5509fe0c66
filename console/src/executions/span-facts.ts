import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { type Span, type SpanTree, sumUsage } from "./spans.ts";

/** Formats the outcome, duration and usage of a span as one line. */
export const formatSpanFacts = (tree: SpanTree, span: Span): string => {
  const { status, startTime, endTime } = span;
  const { tokens, cost, priced } = sumUsage(tree, span);
  return [
    status !== "Succeeded" && status,
    status !== "Skipped" && formatDuration(endTime - startTime),
    tokens > 0 && `${formatCount(tokens)} tokens`,
    (cost > 0 || !priced) && formatKnownCost(cost, priced),
  ]
    .filter(Boolean)
    .join(" · ");
};
