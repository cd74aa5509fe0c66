import { ScrollArea, Stack, Text, VisuallyHidden } from "@mantine/core";
import { compareWords, type DiffPart } from "./compare-words.ts";
import classes from "./word-diff.module.css";

type WordDiffProps = { label: string; before: string; after: string };

/** Shows two texts as one, with the words that were removed and added. */
export const WordDiff = ({ label, before, after }: WordDiffProps) => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      {label}
    </Text>
    <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, "aria-label": label }}>
      <pre className={classes.text}>
        {compareWords(before, after).map((part, at) => (
          <Part key={`${part.type} ${at + 1}`} part={part} />
        ))}
      </pre>
    </ScrollArea.Autosize>
  </Stack>
);

const Part = ({ part: { type, text } }: { part: DiffPart }) => {
  if (type === "same") return text;
  const Changed = type === "added" ? "ins" : "del";
  return (
    <Changed className={classes[type] ?? ""}>
      <VisuallyHidden>{type === "added" ? "added " : "removed "}</VisuallyHidden>
      {text}
    </Changed>
  );
};
