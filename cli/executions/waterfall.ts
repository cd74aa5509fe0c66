import type { TraceSpan } from "../../client/openapi.ts";
import { showCost, showDuration } from "../amounts.ts";
import { groupBy } from "../group-by.ts";
import { cutTo, displayWidth, printable } from "../printable.ts";
import type { Style } from "../style.ts";

/** A span with its depth below the spans without a parent. */
type Placed = { span: TraceSpan; depth: number };

const widestName = 40;
const widestBar = 40;
const narrowestBar = 10;

/** Draws spans as lines: name, bar on a common time axis, duration, tokens, cost and error. */
export const waterfall = (spans: readonly TraceSpan[], columns: number, style: Style): string[] => {
  const placed = inOrder(spans);
  const start = Math.min(...spans.map(({ startTime }) => startTime));
  const end = Math.max(...spans.map(({ endTime }) => endTime));
  const names = placed.map(formatName);
  const facts = placed.map(({ span }) => formatFacts(span));
  const nameWidth = Math.min(widestName, Math.max(...names.map(displayWidth)));
  const durations = placed.map(({ span }) => showDuration(span.endTime - span.startTime));
  const durationWidth = Math.max(...durations.map(displayWidth));
  const left = columns - nameWidth - durationWidth - Math.max(...facts.map(displayWidth)) - 6;
  const barWidth = Math.max(narrowestBar, Math.min(widestBar, left));
  return placed.map(({ span }, at) => {
    const paint = {
      Succeeded: style.green,
      Failed: style.red,
      Cancelled: style.yellow,
      Skipped: style.dim,
    };
    const bar = drawBar(span, { start, end }, barWidth);
    const name = cutTo(names[at] ?? "", nameWidth);
    return [
      name + " ".repeat(nameWidth - displayWidth(name)),
      paint[span.status](bar),
      (durations[at] ?? "").padStart(durationWidth),
      facts[at],
    ]
      .join("  ")
      .trimEnd();
  });
};

/** Orders spans by time, children after their parent. */
const inOrder = (spans: readonly TraceSpan[]): Placed[] => {
  const ids = new Set(spans.map(({ id }) => id));
  const childrenByParent = groupBy(spans, ({ parentId }) =>
    parentId !== null && ids.has(parentId) ? parentId : undefined,
  );
  const below = (id: string | undefined, depth: number): Placed[] =>
    [...(childrenByParent.get(id) ?? [])]
      .sort((one, other) => one.startTime - other.startTime)
      .flatMap((span) => [{ span, depth }, ...below(span.id, depth + 1)]);
  return below(undefined, 0);
};

const marks = { Succeeded: "✓", Failed: "✗", Cancelled: "■", Skipped: "–" };

const formatName = ({ span, depth }: Placed): string => {
  const { name, type, tool, index, status } = span;
  const item = index !== null && isIteration(span) ? ` ${index}` : "";
  const known = [
    name.toLowerCase() === type.toLowerCase() ? null : type,
    tool === name ? null : tool,
  ];
  const facts = known.filter((fact) => fact !== null).join(" ");
  const text = `${marks[status]} ${name}${item}${facts === "" ? "" : ` (${facts})`}`;
  return printable(`${"  ".repeat(depth)}${text}`);
};

const countDepth = (id: string): number => id.split("/").length;

/** Returns whether a span is an item of a ForEach: its step is deeper than the span around it. */
const isIteration = ({ stepId, parentId }: TraceSpan): boolean =>
  parentId !== null && countDepth(stepId) > countDepth(parentId);

const drawBar = (
  { startTime, endTime }: TraceSpan,
  { start, end }: { start: number; end: number },
  width: number,
): string => {
  const unit = width / Math.max(1, end - start);
  const from = Math.min(width - 1, Math.floor((startTime - start) * unit));
  const length = Math.max(1, Math.round((endTime - startTime) * unit));
  const to = Math.min(width, from + length);
  return "·".repeat(from) + "█".repeat(to - from) + "·".repeat(width - to);
};

const formatFacts = ({ usage, cost, modelId, priced, error }: TraceSpan): string =>
  printable(
    [
      modelId,
      usage && `${usage.inputTokens} + ${usage.outputTokens} tokens`,
      cost && showCost(cost.totalCost, priced !== false),
      error?.detail,
    ]
      .filter(Boolean)
      .join(", "),
  );
