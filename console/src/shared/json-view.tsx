import { Code, Group, ScrollArea, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { CopyButton } from "./copy-button.tsx";
import { FileList } from "./files/file-list.tsx";
import { findStored } from "./files/stored-value.ts";

type JsonViewProps = {
  label: string;
  value: unknown;
  /** Height at which the text scrolls. */
  maxHeight?: number;
};

/** Shows a JSON value to read and copy, and the stored files in it; a text is shown as it is. */
export const JsonView = ({ label, value, maxHeight = 320 }: JsonViewProps) => {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  const isNone = value === null || value === undefined;
  const files = useMemo(() => findStored(value), [value]);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        {!isNone && (
          <CopyButton value={text} label={`Copy ${label.toLowerCase()}`} size="compact-xs" />
        )}
      </Group>
      {isNone && (
        <Text size="sm" c="dimmed">
          none
        </Text>
      )}
      {!isNone && (
        <ScrollArea.Autosize mah={maxHeight} viewportProps={{ tabIndex: 0, "aria-label": label }}>
          <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {text}
          </Code>
        </ScrollArea.Autosize>
      )}
      <FileList label={`Files of ${label.toLowerCase()}`} files={files} />
    </Stack>
  );
};
