import { ScrollArea, Text } from "@mantine/core";
import type { DiffLine } from "./compare-lines.ts";
import classes from "./line-diff.module.css";

const signs = { same: " ", added: "+", removed: "-" } as const;
/** Unchanged lines that are shown around a change. */
const context = 3;

/** Shows what differs, with a few lines around it. */
export const LineDiff = ({ lines }: { lines: readonly DiffLine[] }) => {
  const shown = lines
    .map((line, index) => ({ ...line, index }))
    .filter(({ index }) =>
      lines
        .slice(Math.max(0, index - context), index + context + 1)
        .some(({ type }) => type !== "same"),
    );
  if (shown.length === 0) return <Text c="dimmed">No differences.</Text>;
  return (
    <ScrollArea.Autosize mah={360} viewportProps={{ tabIndex: 0, "aria-label": "Differences" }}>
      <pre className={classes.diff}>
        {shown.map(({ type, text, index }, at) => (
          <span key={index} data-type={type}>
            {at > 0 && (shown[at - 1]?.index ?? 0) + 1 < index ? "⋯\n" : ""}
            {`${signs[type]} ${text}\n`}
          </span>
        ))}
      </pre>
    </ScrollArea.Autosize>
  );
};
