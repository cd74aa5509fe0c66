import { NativeSelect, NumberInput, Select } from "@mantine/core";
import { textIn } from "../../../flow-graph/members.ts";
import { ExpressionField } from "../expression/expression-field.tsx";
import type { StepForm } from "./step-form.ts";

/** Draws a list of choices only while it is open. */
export const unmounted = { keepMounted: false };

export const monospace = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

type TextMemberProps = {
  form: StepForm;
  name: string;
  label: string;
  description?: string;
  minRows?: number;
  /** Whether an empty text is kept, and not removed. */
  isRequired?: boolean;
};

/** A member that is a text, with expressions. */
export const TextMember = (props: TextMemberProps) => {
  const { form, name, label, description, minRows = 1, isRequired = false } = props;
  return (
    <ExpressionField
      label={label}
      description={description}
      minRows={minRows}
      value={textIn(form.step[name])}
      onChange={(value) => form.set(name, value === "" && !isRequired ? undefined : value)}
      error={form.errorAt(`/${name}`)}
    />
  );
};

type NumberMemberProps = {
  label: string;
  description?: string;
  /** Shown while the member has no value. */
  placeholder?: string;
  value: unknown;
  onChange: (value: number | undefined) => void;
  error: string | undefined;
  isWhole?: boolean;
};

/** A member that is a number. */
export const NumberMember = (props: NumberMemberProps) => {
  const { label, description, placeholder, value, onChange, error, isWhole = true } = props;
  return (
    <NumberInput
      label={label}
      description={description}
      placeholder={placeholder}
      allowDecimal={!isWhole}
      hideControls
      value={typeof value === "number" || typeof value === "string" ? value : ""}
      onChange={(typed) =>
        onChange(typed === "" || Number.isNaN(Number(typed)) ? undefined : Number(typed))
      }
      error={error}
    />
  );
};

type ChoiceMemberProps = {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  /** The choices; a value outside of them stays until another one is chosen. */
  data: readonly Choice[];
  onChange: (value: string | undefined) => void;
  error: string | undefined;
  isClearable?: boolean;
  nothingFound?: string;
};

/** A member that is chosen from a list. */
export const ChoiceMember = (props: ChoiceMemberProps) => {
  const { value, data, onChange, isClearable = false, nothingFound, ...rest } = props;
  const isKnown = value === "" || data.some((option) => option.value === value);
  return (
    <Select
      {...rest}
      comboboxProps={unmounted}
      searchable
      allowDeselect={false}
      clearable={isClearable}
      clearButtonProps={{ "aria-label": `Clear ${rest.label}` }}
      nothingFoundMessage={nothingFound ?? "No option has this name"}
      value={value === "" ? null : value}
      data={groupChoices(isKnown ? data : [{ value, label: value }, ...data])}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
};

type OptionMemberProps = {
  label: string;
  /** Shown for no value, when one is not needed. */
  none?: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string | undefined) => void;
  error?: string | undefined;
};

/** A member that is one of a few options. */
export const OptionMember = (props: OptionMemberProps) => {
  const { label, none, value, options, onChange, error } = props;
  const isKnown = options.some((option) => option.value === value);
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[
        ...(none === undefined ? [] : [{ value: "", label: none }]),
        ...(isKnown || value === "" ? [] : [{ value, label: value }]),
        ...options,
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      error={error}
    />
  );
};

type Option = { value: string; label: string };
type Choice = Option & { group?: string };
type Group = { group: string; items: Option[] };

/** Groups choices that name a group. */
export const groupChoices = (choices: readonly Choice[]): (Option | Group)[] => {
  const grouped = Map.groupBy(choices, ({ group }) => group);
  return [...grouped].flatMap(([group, members]): (Option | Group)[] => {
    const items = members.map(({ value, label }) => ({ value, label }));
    return group === undefined ? items : [{ group, items }];
  });
};
