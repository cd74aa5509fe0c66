import { Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { secondUnits, selectUnit } from "../../../shared/format.ts";
import { monospace } from "./text-fields.tsx";

type DurationMemberProps = {
  label: string;
  unitLabel: string;
  description?: string;
  /** Shown while there is no value. */
  placeholder?: string;
  /** Seconds, or an expression that returns them. */
  value: unknown;
  onChange: (value: number | string | undefined) => void;
  error: string | undefined;
  hasExpression?: boolean;
};

const expression = "expression";
const unitNames: readonly string[] = secondUnits.map(({ unit }) => unit);
const toSeconds = (name: string): number =>
  secondUnits.find(({ unit }) => unit === name)?.seconds ?? 1;

/** A member that is a number of seconds, edited with a unit. */
export const DurationMember = (props: DurationMemberProps) => {
  const {
    label,
    unitLabel,
    description,
    placeholder,
    value,
    onChange,
    error,
    hasExpression = false,
  } = props;
  const [chosen, setChosen] = useState<string>();
  const seconds = typeof value === "number" ? value : undefined;
  const isExpression = typeof value === "string";
  const fallback = selectUnit(seconds ?? 60).unit;
  const unit = isExpression
    ? expression
    : chosen === undefined || chosen === expression
      ? fallback
      : chosen;
  const size = toSeconds(unit);
  const change = (next: string): void => {
    setChosen(next);
    if (next === expression) onChange("");
    else if (isExpression) onChange(toSeconds(next));
    else if (seconds !== undefined) onChange((seconds / size) * toSeconds(next));
  };
  const choices = [
    ...unitNames.toReversed(),
    ...(hasExpression || isExpression ? [expression] : []),
  ];
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      {isExpression ? (
        <TextInput
          label={label}
          description={description}
          placeholder="{% input.seconds %}"
          flex={1}
          styles={monospace}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          error={error}
        />
      ) : (
        <NumberInput
          label={label}
          description={description}
          placeholder={placeholder}
          flex={1}
          hideControls
          value={seconds === undefined ? "" : seconds / size}
          onChange={(typed) => {
            setChosen(unit);
            onChange(
              typed === "" || Number.isNaN(Number(typed)) ? undefined : Number(typed) * size,
            );
          }}
          error={error}
        />
      )}
      <NativeSelect
        aria-label={unitLabel}
        value={unit}
        data={choices}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        mb={error === undefined ? undefined : 20}
      />
    </Group>
  );
};
