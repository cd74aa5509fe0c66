import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { Example } from "../../../client/openapi.ts";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { fromJson, fromText, noJson, toText } from "./json-text.ts";
import { useSaveExample } from "./use-examples.ts";

/** A member that is edited in the table. */
export type ExampleMember = "input" | "expected" | "split";

type ExampleRowFormProps = {
  dataset: string;
  example: Example;
  /** The field that has the focus first. */
  focus: ExampleMember;
  onClose: () => void;
};

const pointers = ["/items/0/input", "/items/0/expected", "/items/0/split"] as const;

/** Edits an example in its row. Escape leaves it as it was; Control or Command with Enter saves it. */
export const ExampleRowForm = ({ dataset, example, focus, onClose }: ExampleRowFormProps) => {
  const [input, setInput] = useState(JSON.stringify(example.input));
  const [expected, setExpected] = useState(toText(example.expected));
  const [split, setSplit] = useState(example.split ?? "");
  const { mutate, error, isPending } = useSaveExample(dataset);
  const read = { input: fromJson(input), expected: fromText(expected) };
  const save = (): void => {
    if (!read.input.ok || !read.expected.ok) return;
    mutate(
      {
        id: example.id,
        input: read.input.value,
        expected: read.expected.value,
        metadata: example.metadata,
        split: split === "" ? null : split,
      },
      { onSuccess: onClose },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onClose();
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
  };
  return (
    <form onSubmit={submit} onKeyDown={press} noValidate aria-label={`Edit ${example.id}`}>
      <Stack gap="xs" miw={220} fw={400}>
        <Textarea
          label="Input"
          autosize
          maxRows={12}
          autoFocus={focus === "input"}
          value={input}
          onChange={({ currentTarget }) => setInput(currentTarget.value)}
          error={read.input.ok ? fieldError(error, "/items/0/input") : noJson}
        />
        <Textarea
          label="Expected"
          autosize
          maxRows={12}
          autoFocus={focus === "expected"}
          value={expected}
          onChange={({ currentTarget }) => setExpected(currentTarget.value)}
          error={read.expected.ok ? fieldError(error, "/items/0/expected") : noJson}
        />
        <TextInput
          label="Split of the example"
          autoFocus={focus === "split"}
          value={split}
          onChange={({ currentTarget }) => setSplit(currentTarget.value)}
          error={fieldError(error, "/items/0/split")}
        />
        <ProblemAlert error={error} shownAt={pointers} />
        <Group gap="xs">
          <Button type="submit" size="compact-sm" loading={isPending}>
            Save
          </Button>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
