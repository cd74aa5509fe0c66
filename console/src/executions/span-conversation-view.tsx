import { Anchor, Stack, Text } from "@mantine/core";
import bubble from "../shared/bubble.module.css";
import { Bubble } from "../shared/bubble.tsx";
import { CallView } from "../shared/call-view.tsx";
import { FileList } from "../shared/files/file-list.tsx";
import { Markdown } from "../shared/markdown.tsx";
import { Citations } from "./citations.tsx";
import type { SpanEntry } from "./span-conversation.ts";
import type { Span } from "./spans.ts";

type SpanConversationProps = {
  entries: readonly SpanEntry[];
  onSelect: (span: Span) => void;
};

/** Shows what a Prompt and its model exchanged: messages, calls of tools and the passages that they found. */
export const SpanConversation = ({ entries, onSelect }: SpanConversationProps) => (
  <Stack gap="xs" component="section" aria-label="Conversation">
    <Text size="sm" fw={600}>
      Conversation
    </Text>
    {entries.map((entry) => (
      <Entry key={entry.key} entry={entry} onSelect={onSelect} />
    ))}
  </Stack>
);

type EntryProps = { entry: SpanEntry; onSelect: (span: Span) => void };

const Entry = ({ entry, onSelect }: EntryProps) => {
  if (entry.kind === "system") {
    return (
      <details className={bubble.call}>
        <summary>
          <Text span size="sm">
            System text
          </Text>
        </summary>
        <Text size="sm" py="xs" className={bubble.text ?? ""}>
          {entry.text}
        </Text>
      </details>
    );
  }
  if (entry.kind !== "call") {
    return (
      <Bubble from={entry.kind}>
        {entry.kind === "agent" ? <Markdown text={entry.text} /> : entry.text}
        <FileList label="Files of the prompt" files={entry.files ?? []} />
      </Bubble>
    );
  }
  const { name, sent, span } = entry;
  const result = span && {
    output: span.error?.detail ?? span.output,
    isError: span.status === "Failed",
  };
  return (
    <>
      <CallView name={name} sent={sent} result={result}>
        {span && (
          <Anchor component="button" size="sm" ta="start" onClick={() => onSelect(span)}>
            Open span
          </Anchor>
        )}
      </CallView>
      <Citations label="Passages found" citations={span?.citations ?? []} hasPassages />
    </>
  );
};
