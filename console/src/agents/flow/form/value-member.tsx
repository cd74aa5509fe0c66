import { Group, Input, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { JsonField } from "../../../shared/json-field.tsx";
import { type PointedProblem, problemsAt } from "../../../shared/problem.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import type { StepForm } from "./step-form.ts";

type JsonMemberProps = {
  form: StepForm;
  name: string;
  label: string;
  description?: string;
  isLabelHidden?: boolean;
};

/** A member that is edited as JSON; without a text there is no member. */
export const JsonMember = ({ form, name, ...shown }: JsonMemberProps) => (
  <JsonValue
    {...shown}
    value={form.step[name]}
    onChange={form.isReadOnly ? undefined : (value) => form.set(name, value)}
    problems={problemsAt(form.problems, `/${name}`)}
  />
);

type JsonValueProps = Omit<JsonMemberProps, "form" | "name"> & {
  value: unknown;
  onChange: ((value: unknown) => void) | undefined;
  problems: readonly PointedProblem[];
};

const formatJson = (value: unknown): string =>
  value === undefined || value === null ? "" : JSON.stringify(value, null, 2);

const parse = (text: string): { value: unknown } | undefined => {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** Edits a value as JSON. The text counts as soon as it is valid JSON. */
const JsonValue = ({ value, onChange, problems, ...shown }: JsonValueProps) => {
  const [typed, setTyped] = useState({ value, text: formatJson(value) });
  const text = Object.is(typed.value, value) ? typed.text : formatJson(value);
  const change = (next: string): void => {
    const parsed = parse(next);
    setTyped({ value: parsed ? parsed.value : value, text: next });
    if (parsed) onChange?.(parsed.value);
  };
  return (
    <JsonField
      {...shown}
      text={text}
      onChange={onChange && change}
      error={parse(text) ? undefined : "This is not valid JSON."}
      problems={problems}
    />
  );
};

/** A member that may be any JSON, and is mostly a text with expressions. */
export const ValueMember = ({ form, name, label, description }: JsonMemberProps) => {
  const value = form.step[name];
  const isText = value === undefined || typeof value === "string";
  const [isJson, setIsJson] = useState(!isText);
  const choose = (kind: string): void => {
    setIsJson(kind === "JSON");
    if (kind === "Text" && !isText) form.set(name, JSON.stringify(value));
  };
  const shownAsJson = isJson || !isText;
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <div>
          <Input.Label labelElement="div">{label}</Input.Label>
          <Input.Description>{description}</Input.Description>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={`${label} as`}
          data={["Text", "JSON"]}
          value={shownAsJson ? "JSON" : "Text"}
          onChange={choose}
        />
      </Group>
      {shownAsJson ? (
        <JsonMember form={form} name={name} label={label} isLabelHidden />
      ) : (
        <ExpressionField
          label={label}
          isLabelHidden
          minRows={2}
          value={typeof value === "string" ? value : ""}
          onChange={(text) => form.set(name, text)}
          error={form.errorAt(`/${name}`)}
        />
      )}
    </Stack>
  );
};
