import { Text, UnstyledButton } from "@mantine/core";
import { useMemo, useState } from "react";
import { formatDuration } from "../shared/format.ts";
import { formatSpanFacts } from "./span-facts.ts";
import { isIteration, placeSpans, type Span, type SpanTree, spanName } from "./spans.ts";
import classes from "./waterfall.module.css";

type WaterfallProps = {
  tree: SpanTree;
  startTime: number;
  endTime: number;
  selected: string | undefined;
  onSelect: (span: Span) => void;
};

/** Number of iterations above which a loop is closed at first. */
const manyIterations = 10;

/** Shows when each span ran, with its tokens and cost. */
export const Waterfall = ({ tree, startTime, endTime, selected, onSelect }: WaterfallProps) => {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const longLoops = useMemo(() => findLongLoops(tree), [tree]);
  const closed = longLoops.symmetricDifference(toggled);
  const total = Math.max(1, endTime - startTime);
  const placed = useMemo(() => placeSpans(tree, closed), [tree, closed]);
  return (
    <div>
      <div className={classes.scale} aria-hidden="true">
        <span />
        <span className={classes.ends}>
          <span>0 ms</span>
          <span>{formatDuration(total)}</span>
        </span>
      </div>
      <ul className={classes.list} aria-label="Spans">
        {placed.map(({ span, depth, hasInside }) => {
          const left = ((span.startTime - startTime) / total) * 100;
          const width = Math.max(0.5, ((span.endTime - span.startTime) / total) * 100);
          return (
            <li key={span.id} className={classes.item}>
              {hasInside && (
                <UnstyledButton
                  className={classes.toggle ?? ""}
                  style={{ insetInlineStart: depth * 16 }}
                  aria-expanded={!closed.has(span.id)}
                  aria-label={`Spans inside ${spanName(span)}`}
                  onClick={() => setToggled(toggled.symmetricDifference(new Set([span.id])))}
                >
                  {closed.has(span.id) ? "▸" : "▾"}
                </UnstyledButton>
              )}
              <UnstyledButton
                className={classes.row ?? ""}
                aria-pressed={span.id === selected}
                onClick={() => onSelect(span)}
              >
                <span className={classes.name} style={{ paddingInlineStart: depth * 16 + 16 }}>
                  <Text span size="sm" fw={500} truncate>
                    {spanName(span)}
                  </Text>
                  <Text span size="xs" c="dimmed">
                    {span.type}
                  </Text>
                </span>
                <span className={classes.track}>
                  {span.status !== "Skipped" && (
                    <span
                      className={classes.bar}
                      data-status={span.status}
                      style={{
                        left: `${Math.min(left, 99.5)}%`,
                        width: `${Math.min(width, 100 - left)}%`,
                      }}
                    />
                  )}
                </span>
                <Text span size="xs" className={classes.facts ?? ""}>
                  {formatSpanFacts(tree, span)}
                </Text>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
};

const findLongLoops = (tree: SpanTree): Set<string> => {
  const find = (spans: readonly Span[]): string[] =>
    spans.flatMap((span) => {
      const inside = tree.inside(span);
      const isLong = inside.filter(isIteration).length > manyIterations;
      return [...(isLong ? [span.id] : []), ...find(inside)];
    });
  return new Set(find(tree.roots));
};
