import {
  Checkbox,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { FileField } from "./files/file-field.tsx";
import type { AcceptedFiles } from "./files/find-refusal.ts";
import { toFileInput } from "./files/input-files.ts";
import type { ReportUploading } from "./files/use-uploading.ts";
import { JsonField } from "./json-field.tsx";
import { fieldError, type PointedProblem, refusedAt } from "./problem.ts";

/** A parameter of an agent, a tool or a source. */
export type FormField = AcceptedFiles & {
  name: string;
  type?: "String" | "Integer" | "Float" | "Boolean" | "Option" | "Json" | "Asset" | "File";
  displayName?: string | null;
  description?: string | null;
  required?: boolean;
  secret?: boolean;
  defaultValue?: string | null;
  options?: readonly (string | { value: string; displayName?: string | null })[];
  integerRange?: NumberRange | null;
  floatRange?: NumberRange | null;
  uiHint?: string | null;
};

type NumberRange = { min?: number | null; max?: number | null };

/** Typed texts by the field's name. */
export type FormTexts = Readonly<Record<string, string>>;

type FormFromSchemaProps = {
  fields: readonly FormField[];
  texts: FormTexts;
  onChange: (texts: FormTexts) => void;
  error: unknown;
  /** Pointer of the object that the fields are members of, such as `/input`. */
  pointer: string;
  /** Is called when a field starts and ends to upload files. */
  onUploading?: ReportUploading;
};

/** Fields made from parameter descriptors. Texts become values with `toValues`. */
export const FormFromSchema = (props: FormFromSchemaProps) => {
  const { fields, texts, onChange, error, pointer, onUploading } = props;
  if (fields.length === 0) return <Text c="dimmed">No inputs.</Text>;
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <SchemaField
          key={field.name}
          field={field}
          text={texts[field.name] ?? ""}
          onChange={(text) => onChange({ ...texts, [field.name]: text })}
          error={fieldError(error, `${pointer}/${field.name}`)}
          problems={refusedAt(error, `${pointer}/${field.name}`)}
          onUploading={onUploading}
        />
      ))}
    </Stack>
  );
};

type SchemaFieldProps = {
  field: FormField;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
  problems: readonly PointedProblem[];
  onUploading: ReportUploading | undefined;
};

const SchemaField = (props: SchemaFieldProps) => {
  const { field, text, onChange, error, problems, onUploading } = props;
  const { name, type = "String", required = false, secret = false, uiHint } = field;
  const common = {
    label: field.displayName || name,
    description: formatDescription(field),
    placeholder: field.defaultValue ?? undefined,
    required,
    withAsterisk: required,
    error,
    value: text,
  };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }): void =>
    onChange(currentTarget.value);
  if (secret) return <PasswordInput {...common} onChange={onInput} autoComplete="off" />;
  switch (type) {
    case "Boolean":
      return (
        <Checkbox
          label={common.label}
          description={common.description}
          error={error}
          checked={(text || field.defaultValue) === "true"}
          onChange={({ currentTarget }) => onChange(String(currentTarget.checked))}
        />
      );
    case "Integer":
    case "Float": {
      const range = (type === "Integer" ? field.integerRange : field.floatRange) ?? {};
      return (
        <NumberInput
          {...common}
          allowDecimal={type === "Float"}
          min={range.min ?? undefined}
          max={range.max ?? undefined}
          clampBehavior="none"
          onChange={(value) => onChange(String(value))}
        />
      );
    }
    case "Option":
      return (
        <NativeSelect
          {...common}
          data={[{ value: "", label: field.defaultValue ?? "" }, ...toOptions(field)]}
          onChange={onInput}
        />
      );
    case "File":
      return (
        <FileField
          name={name}
          label={common.label}
          description={common.description}
          isRequired={required}
          accepted={field}
          text={text}
          onChange={onChange}
          onUploading={onUploading}
          error={error}
        />
      );
    case "Json":
      return (
        <JsonField
          label={common.label}
          description={[common.description, required && "required"].filter(Boolean).join(" · ")}
          placeholder={common.placeholder}
          text={text}
          onChange={onChange}
          problems={problems}
        />
      );
    default:
      return uiHint === "Code" || name === "prompt" ? (
        <Textarea {...common} autosize minRows={3} maxRows={14} onChange={onInput} />
      ) : (
        <TextInput {...common} onChange={onInput} />
      );
  }
};

const formatDescription = ({ description, integerRange, floatRange }: FormField): string => {
  const { min = null, max = null } = integerRange ?? floatRange ?? {};
  const bounds = [min !== null && `at least ${min}`, max !== null && `at most ${max}`];
  return [description, bounds.filter(Boolean).join(", ")].filter(Boolean).join(" · ");
};

const toOptions = ({ options = [] }: FormField): { value: string; label: string }[] =>
  options.map((option) =>
    typeof option === "string"
      ? { value: option, label: option }
      : { value: option.value, label: option.displayName || option.value },
  );

/** Converts texts to the values of their types. An empty field has no value; the API refuses other values. */
export const parseValues = (
  fields: readonly FormField[],
  texts: FormTexts,
): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const text = texts[field.name];
    if (text !== undefined && text !== "") values[field.name] = parseText(field, text);
  }
  return values;
};

const parseText = ({ type, multiple }: FormField, text: string): unknown => {
  if (type === "File") return toFileInput(text, multiple === true);
  if (type === "Boolean") return text === "true";
  if (type === "Integer" || type === "Float") return Number(text);
  return type === "Json" ? parseOrKeep(text) : text;
};

const parseOrKeep = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
