import {
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { type Members, textIn, textsIn, withItem, withMember } from "../flow-graph/members.ts";
import { fieldError } from "../shared/problem.ts";
import { CheckMemberField } from "./check-member-field.tsx";
import { checkActions, checkPlaces, checkTypes, findCheckType } from "./check-types.ts";
import { moveUp, newCheck, withCheckType } from "./guardrail-form.ts";

const maxChecks = 20;

const toOptions = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

type ChecksFieldProps = {
  checks: readonly Members[];
  onChange: (checks: readonly Members[]) => void;
  error: unknown;
};

/** Edits the checks of a guardrail, in the order in which they are applied. */
export const ChecksField = ({ checks, onChange, error }: ChecksFieldProps) => (
  <Stack gap="sm">
    {checks.map((check, index) => (
      <CheckRow
        key={`check ${index + 1}`}
        number={index + 1}
        check={check}
        error={error}
        onChange={(next) => onChange(withItem(checks, index, next))}
        onRemove={() => onChange(checks.filter((_check, at) => at !== index))}
        onMoveUp={index === 0 ? undefined : () => onChange(moveUp(checks, index))}
      />
    ))}
    {checks.length === 0 && (
      <Text size="sm" c={fieldError(error, "/checks") === undefined ? "dimmed" : "red"}>
        Add at least one check.
      </Text>
    )}
    <Group>
      <Button
        variant="default"
        size="xs"
        disabled={checks.length >= maxChecks}
        onClick={() => onChange([...checks, newCheck(checks)])}
      >
        Add check
      </Button>
    </Group>
  </Stack>
);

type CheckRowProps = {
  number: number;
  check: Members;
  error: unknown;
  onChange: (check: Members) => void;
  onRemove: () => void;
  onMoveUp: (() => void) | undefined;
};

const CheckRow = ({ number, check, error, onChange, onRemove, onMoveUp }: CheckRowProps) => {
  const type = textIn(check.type);
  const row = findCheckType(type);
  const pointer = `/checks/${number - 1}`;
  const ofCheck = `of check ${number}`;
  const actions = row?.actions ?? [];
  const set = (name: string, value: unknown): void => onChange(withMember(check, name, value));
  return (
    <Fieldset legend={`Check ${number}`} p="sm">
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            label={`ID ${ofCheck}`}
            value={textIn(check.id)}
            onChange={({ currentTarget }) => set("id", currentTarget.value)}
            error={fieldError(error, `${pointer}/id`)}
          />
          <NativeSelect
            label={`Type ${ofCheck}`}
            value={type}
            data={[
              ...(row ? [] : [{ value: type, label: type }]),
              ...checkTypes.map((known) => ({
                value: known.type,
                label: `${known.type}: ${known.description}`,
              })),
            ]}
            onChange={({ currentTarget }) => onChange(withCheckType(check, currentTarget.value))}
            error={fieldError(error, `${pointer}/type`)}
          />
        </Group>
        {row?.members.map((member) => (
          <CheckMemberField
            key={member.name}
            member={member}
            label={`${member.label} ${ofCheck}`}
            value={check[member.name]}
            onChange={(value) => set(member.name, value)}
            error={error}
            pointer={`${pointer}/${member.name}`}
          />
        ))}
        <MultiSelect
          comboboxProps={{ keepMounted: false }}
          searchable
          label={`Places ${ofCheck}`}
          value={textsIn(check.on)}
          data={toOptions(checkPlaces)}
          onChange={(places) => set("on", places)}
          error={fieldError(error, `${pointer}/on`)}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label={`Action ${ofCheck}`}
            value={textIn(check.action)}
            data={actions.map((value) => ({ value, label: checkActions[value] }))}
            onChange={({ currentTarget }) => set("action", currentTarget.value)}
            error={fieldError(error, `${pointer}/action`)}
          />
          <NativeSelect
            label={`If check ${number} itself fails`}
            value={textIn(check.onError)}
            data={[
              { value: "", label: "block (default)" },
              { value: "block", label: "block" },
              { value: "allow", label: "allow" },
            ]}
            onChange={({ currentTarget }) => set("onError", currentTarget.value || undefined)}
            error={fieldError(error, `${pointer}/onError`)}
          />
        </Group>
        <Group gap="xs">
          {onMoveUp && (
            <Button variant="default" size="compact-xs" onClick={onMoveUp}>
              Move check {number} up
            </Button>
          )}
          <Button variant="subtle" size="compact-xs" color="red" onClick={onRemove}>
            Remove check {number}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
};
