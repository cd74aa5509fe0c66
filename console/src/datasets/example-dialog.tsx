import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Example } from "../../../client/openapi.ts";
import { isRecord } from "../flow-graph/members.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { JsonField } from "../shared/json-field.tsx";
import { fieldError, refusedAt } from "../shared/problem.ts";
import { fromJson, fromText, noJson, toText } from "./json-text.ts";
import { useSaveExample } from "./use-examples.ts";

type ExampleDialogProps = {
  dataset: string;
  /** The example to edit; by default a new one. */
  example?: Example;
  onClose: () => void;
};

const members = ["id", "input", "expected", "metadata", "split"];
const pointers = members.map((member) => `/items/0/${member}`);

/** Adds an example to a dataset, or edits all members of one. */
export const ExampleDialog = ({ dataset, example, onClose }: ExampleDialogProps) => {
  const [id, setId] = useState("");
  const [input, setInput] = useState(indented(example?.input));
  const [expected, setExpected] = useState(toText(example?.expected));
  const [metadata, setMetadata] = useState(indented(example?.metadata));
  const [split, setSplit] = useState(example?.split ?? "");
  const { mutate, error, isPending } = useSaveExample(dataset);
  const read = {
    input: fromJson(input),
    expected: fromText(expected),
    metadata: recordIn(metadata),
  };
  const chosenId = example?.id ?? (id === "" ? undefined : id);
  const submit = (): void => {
    if (!read.input.ok || !read.expected.ok || read.metadata === undefined) return;
    const body = {
      ...(chosenId !== undefined && { id: chosenId }),
      input: read.input.value,
      expected: read.expected.value,
      metadata: read.metadata,
      split: split === "" ? null : split,
    };
    mutate(body, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={example ? "Edit example" : "Add example"}
      action={example ? "Save" : "Add"}
      size="lg"
      error={error}
      shownAt={pointers}
      isPending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <JsonField
        label="Input"
        description="A JSON object with the agent's named inputs."
        placeholder='{"question": "How long can I return a desk?"}'
        text={input}
        onChange={setInput}
        error={read.input.ok ? undefined : noJson}
        problems={refusedAt(error, "/items/0/input")}
      />
      <Textarea
        label="Expected"
        description="The expected output: text or JSON."
        autosize
        minRows={2}
        maxRows={12}
        value={expected}
        onChange={({ currentTarget }) => setExpected(currentTarget.value)}
        error={read.expected.ok ? fieldError(error, "/items/0/expected") : noJson}
      />
      <TextInput
        label="Split of the example"
        description="Part of the dataset, such as test; experiments can be limited to it."
        value={split}
        onChange={({ currentTarget }) => setSplit(currentTarget.value)}
        error={fieldError(error, "/items/0/split")}
      />
      <JsonField
        label="Metadata"
        description="A JSON object; scorers do not use it."
        text={metadata}
        onChange={setMetadata}
        error={read.metadata === undefined ? "This is not a JSON object." : undefined}
        problems={refusedAt(error, "/items/0/metadata")}
        height={80}
      />
      {!example && (
        <TextInput
          label="ID"
          description="Generated if empty. An existing example with this ID is replaced."
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
          error={fieldError(error, "/items/0/id")}
        />
      )}
    </FormDialog>
  );
};

const indented = (value: unknown): string =>
  value === undefined || value === null ? "" : JSON.stringify(value, null, 2);

/** Reads a typed object; null for none, undefined if it is not an object. */
const recordIn = (text: string): Record<string, unknown> | null | undefined => {
  const read = fromJson(text);
  if (!read.ok) return undefined;
  if (read.value === null) return null;
  return isRecord(read.value) ? { ...read.value } : undefined;
};
