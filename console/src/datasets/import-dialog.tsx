import {
  Alert,
  Button,
  Code,
  FileButton,
  Group,
  List,
  Modal,
  NativeSelect,
  Progress,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import type { Dataset } from "../../../client/openapi.ts";
import type { Imported } from "../../../lib/evaluation/dataset/import/import-examples.ts";
import { formatCount } from "../shared/format.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { formatNames, formats } from "./import-formats.ts";
import { type ImportOptions, type RefusedExample, useImport, useImported } from "./use-import.ts";

type ImportDialogProps = { dataset: Dataset; onClose: () => void };

/** Imports the examples of a file: it is read and checked in the browser first. */
export const ImportDialog = ({ dataset, onClose }: ImportDialogProps) => {
  const [file, setFile] = useState<File>();
  const [options, setOptions] = useState<ImportOptions>({});
  const [split, setSplit] = useState("");
  const { data, error, isFetching } = useImported(file, options);
  const sending = useImport(dataset.id);
  const change = (next: ImportOptions): void => {
    sending.restart();
    setOptions(next);
  };
  const choose = (chosen: File | null): void => {
    sending.restart();
    if (chosen) setFile(chosen);
  };
  const send = (read: Imported): void => {
    const items = read.items.map((item) =>
      split === "" || item.split !== undefined ? item : { ...item, split },
    );
    sending.mutate({ items, places: read.places }, { onSuccess: onClose });
  };
  const isReady = data !== undefined && data.items.length > 0 && data.problems.length === 0;
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Import into ${dataset.displayName}`}
      size="lg"
      closeOnClickOutside={false}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          JSON lines or a JSON array of examples, a CSV file with a header, OpenAI Evals, or a
          Langfuse dataset.
        </Text>
        <Group gap="xs">
          <FileButton
            onChange={choose}
            accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt"
            inputProps={{ "aria-label": "File" }}
          >
            {(props) => (
              <Button {...props} variant="default" data-autofocus>
                Choose file
              </Button>
            )}
          </FileButton>
          {file && <Code>{file.name}</Code>}
        </Group>
        {file && (
          <OptionFields options={options} onChange={change} split={split} onSplit={setSplit} />
        )}
        <div aria-live="polite">
          {isFetching && <Text size="sm">Reading the file…</Text>}
          {data && !isFetching && <Preview read={data} />}
        </div>
        <ProblemAlert error={error} />
        <Refused refused={sending.refused} />
        {sending.refused.length === 0 && <ProblemAlert error={sending.error} />}
        {data && (sending.isPending || sending.sent > 0) && (
          <Stack gap={4}>
            <Progress
              value={(100 * sending.sent) / Math.max(1, data.items.length)}
              aria-label="Imported examples"
            />
            <Text size="sm">
              {formatCount(sending.sent)} of {formatCount(data.items.length)} examples imported
            </Text>
          </Stack>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={!isReady}
            loading={sending.isPending}
            onClick={() => isReady && send(data)}
          >
            {sending.sent > 0 ? "Continue" : "Import"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

type OptionFieldsProps = {
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
  split: string;
  onSplit: (split: string) => void;
};

const OptionFields = ({ options, onChange, split, onSplit }: OptionFieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 2 }}>
    <NativeSelect
      label="Format"
      description="Detected from the content."
      value={options.format ?? ""}
      data={[
        { value: "", label: "Detected" },
        ...formats.map((value) => ({ value, label: formatNames[value] })),
      ]}
      onChange={({ currentTarget }) =>
        onChange({ ...options, format: formats.find((format) => format === currentTarget.value) })
      }
    />
    <TextInput
      label="Split"
      description="For examples without a split in the file."
      value={split}
      onChange={({ currentTarget }) => onSplit(currentTarget.value)}
    />
    <TextInput
      label="Column with the expected output"
      description="Default: the first column with a common name, such as expected or ideal."
      value={options.expected ?? ""}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...options, expected: value === "" ? undefined : value })
      }
    />
    <TextInput
      label="Name of the input"
      description="For inputs that are not objects. Default: input."
      value={options.input ?? ""}
      onChange={({ currentTarget: { value } }) =>
        onChange({ ...options, input: value === "" ? undefined : value })
      }
    />
  </SimpleGrid>
);

const Preview = ({ read }: { read: Imported }) => {
  const { format, items, skipped, problems } = read;
  const [first] = items;
  return (
    <Stack gap="xs">
      <Text size="sm">
        {formatNames[format]}:{" "}
        {items.length === 1 ? "1 example" : `${formatCount(items.length)} examples`}
        {skipped > 0 && `, ${formatCount(skipped)} left out`}
      </Text>
      {first && problems.length === 0 && (
        <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {shortened(JSON.stringify(first, null, 2))}
        </Code>
      )}
      <Refused refused={problems} />
    </Stack>
  );
};

const mostShown = 50;
const mostCharacters = 600;

const shortened = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;

const Refused = ({ refused }: { refused: readonly RefusedExample[] }) =>
  refused.length > 0 && (
    <Alert color="red" variant="outline" title="Refused" role="alert">
      <List size="sm">
        {refused.slice(0, mostShown).map(({ place, detail }) => (
          <List.Item key={`${place} ${detail}`}>
            <strong>{place === "" ? "The file" : upperFirst(place)}</strong> {detail}
          </List.Item>
        ))}
      </List>
      {refused.length > mostShown && (
        <Text size="sm">and {formatCount(refused.length - mostShown)} more</Text>
      )}
    </Alert>
  );

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
