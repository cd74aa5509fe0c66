import { Button, Fieldset, Stack, Text } from "@mantine/core";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { isRecord, itemsIn, textIn, withItem } from "../../../flow-graph/members.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import type { StepForm } from "./step-form.ts";

type PromptFilesProps = { form: StepForm; draft: Draft };

const mostFiles = 20;

/** Edits which files the model gets: a list of expressions. */
export const PromptFiles = ({ form, draft }: PromptFilesProps) => {
  const files = itemsIn(form.step.files).map(textIn);
  const set = (next: readonly string[]): void =>
    form.set("files", next.length === 0 ? undefined : next);
  return (
    <Fieldset legend="Files" p="sm">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          Images, documents and audio for the model: expressions that select an input of the type
          File, or a file that a tool returned.
        </Text>
        {files.map((file, index) => (
          <div key={`file ${index + 1}`}>
            <ExpressionField
              label={`File ${index + 1}`}
              placeholder="{% input.photo %}"
              value={file}
              onChange={(text) => set(withItem(files, index, text))}
              error={form.errorAt(`/files/${index}`)}
            />
            {!form.isReadOnly && (
              <Button
                variant="subtle"
                size="compact-xs"
                color="red"
                mt={4}
                onClick={() => set(files.filter((_file, at) => at !== index))}
              >
                Remove file {index + 1}
              </Button>
            )}
          </div>
        ))}
        {!form.isReadOnly && files.length < mostFiles && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => set([...files, suggestFile(draft, files)])}
          >
            Add file
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
};

const plainName = /^[A-Za-z_]\w*$/;

/** Returns the expression of the first input of the type File that is not listed; empty without one. */
const suggestFile = (draft: Draft, files: readonly string[]): string => {
  const names = itemsIn(draft.parametersMetadata)
    .filter(isRecord)
    .filter(({ type }) => type === "File")
    .map(({ name }) => textIn(name));
  const expressions = names.map((name) =>
    plainName.test(name) ? `{% input.${name} %}` : `{% input.\`${name}\` %}`,
  );
  return expressions.find((expression) => !files.includes(expression)) ?? "";
};
