import { Text, UnstyledButton } from "@mantine/core";
import { formatCost, formatCount, formatDuration } from "../shared/format.ts";
import type { PlacedSpan, Span } from "./spans.ts";
import classes from "./waterfall.module.css";

type WaterfallProps = {
  spans: readonly PlacedSpan[];
  startTime: number;
  endTime: number;
  selected: string | undefined;
  onSelect: (span: Span) => void;
};

/** Shows when each span ran, with its tokens and cost. */
export const Waterfall = ({ spans, startTime, endTime, selected, onSelect }: WaterfallProps) => {
  const total = Math.max(1, endTime - startTime);
  return (
    <ul className={classes.list} aria-label="Spans">
      {spans.map(({ span, depth }) => {
        const left = ((span.startTime - startTime) / total) * 100;
        const width = Math.max(0.5, ((span.endTime - span.startTime) / total) * 100);
        return (
          <li key={span.id}>
            <UnstyledButton
              className={classes.row ?? ""}
              aria-pressed={span.id === selected}
              onClick={() => onSelect(span)}
            >
              <span className={classes.name} style={{ paddingInlineStart: depth * 16 }}>
                <Text span size="sm" fw={500} truncate>
                  {span.name}
                </Text>
                <Text span size="xs" c="dimmed">
                  {span.type}
                </Text>
              </span>
              <span className={classes.track}>
                <span
                  className={classes.bar}
                  data-status={span.status}
                  style={{
                    left: `${Math.min(left, 99.5)}%`,
                    width: `${Math.min(width, 100 - left)}%`,
                  }}
                />
              </span>
              <Text span size="xs" className={classes.facts ?? ""}>
                {factsOf(span)}
              </Text>
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
};

const factsOf = ({ status, startTime, endTime, usage, cost }: Span): string =>
  [
    status !== "Succeeded" && status,
    formatDuration(endTime - startTime),
    usage && `${formatCount(usage.inputTokens + usage.outputTokens)} tokens`,
    cost && cost.totalCost > 0 && formatCost(cost.totalCost),
  ]
    .filter(Boolean)
    .join(" · ");
