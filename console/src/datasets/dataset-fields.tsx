import { Textarea, TextInput } from "@mantine/core";
import { JsonField } from "../shared/json-field.tsx";
import { fieldError, refusedAt } from "../shared/problem.ts";
import { type DatasetForm, schemaOf } from "./dataset-form.ts";

type DatasetFieldsProps = {
  form: DatasetForm;
  onChange: (form: DatasetForm) => void;
  error: unknown;
  /** A new dataset's id can be chosen. */
  isNew?: boolean;
};

const schemaExample = '{"type": "object", "required": ["question"]}';

/** The fields of a dataset. */
export const DatasetFields = ({ form, onChange, error, isNew = false }: DatasetFieldsProps) => (
  <>
    <TextInput
      label="Name"
      data-autofocus
      value={form.displayName}
      onChange={({ currentTarget }) => onChange({ ...form, displayName: currentTarget.value })}
      error={fieldError(error, "/displayName")}
    />
    {isNew && (
      <TextInput
        label="ID"
        description="Made by Wharf unless chosen; it cannot be changed later."
        value={form.id}
        onChange={({ currentTarget }) => onChange({ ...form, id: currentTarget.value })}
        error={fieldError(error, "/id")}
      />
    )}
    <Textarea
      label="Description"
      autosize
      minRows={2}
      maxRows={8}
      value={form.description}
      onChange={({ currentTarget }) => onChange({ ...form, description: currentTarget.value })}
      error={fieldError(error, "/description")}
    />
    <JsonField
      label="Input schema"
      description="JSON Schema that the input of each new example must match; empty for any input."
      placeholder={schemaExample}
      text={form.inputSchema}
      onChange={(inputSchema) => onChange({ ...form, inputSchema })}
      error={schemaOf(form) === undefined ? "This is no JSON object." : undefined}
      problems={refusedAt(error, "/inputSchema")}
    />
  </>
);
