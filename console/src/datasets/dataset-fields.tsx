import { Textarea } from "@mantine/core";
import { JsonField } from "../shared/json-field.tsx";
import { NameFields } from "../shared/name-fields.tsx";
import { refusedAt } from "../shared/problem.ts";
import { type FormState, textField } from "../shared/text-field.ts";
import { type DatasetForm, parseSchema } from "./dataset-form.ts";

type DatasetFieldsProps = FormState<DatasetForm> & { isNew: boolean };

const schemaExample = '{"type": "object", "required": ["question"]}';

/** The fields of a dataset. */
export const DatasetFields = (props: DatasetFieldsProps) => {
  const { form, onChange, error } = props;
  return (
    <>
      <NameFields {...props} idUse="Names the dataset in addresses and experiments." />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        maxRows={8}
        {...textField(props, "description")}
      />
      <JsonField
        label="Input schema"
        description="JSON Schema that the input of each new example must match; empty for any input."
        placeholder={schemaExample}
        text={form.inputSchema}
        onChange={(inputSchema) => onChange({ ...form, inputSchema })}
        error={parseSchema(form) === undefined ? "This is not a JSON object." : undefined}
        problems={refusedAt(error, "/inputSchema")}
      />
    </>
  );
};
