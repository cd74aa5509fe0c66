import { Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import {
  isRecord,
  itemsIn,
  type Members,
  textIn,
  withItem,
  withMember,
} from "../../../flow-graph/members.ts";
import type { StepForm } from "./step-form.ts";
import type { StepSurroundings } from "./step-surroundings.ts";
import { ChoiceMember } from "./text-fields.tsx";

const usualActions: readonly Members[] = [
  { id: "approve", label: "Approve" },
  { id: "reject", label: "Reject" },
];

/** Returns the actions of an Approval: the usual ones where it has none. */
export const readActions = (step: Members): readonly Members[] =>
  step.actions === undefined || step.actions === null
    ? usualActions
    : itemsIn(step.actions).map((item) => (isRecord(item) ? item : {}));

type ApprovalActionsProps = { form: StepForm; others: StepSurroundings["others"] };

/** The actions of an approval, with the steps that they choose. */
export const ApprovalActions = ({ form, others }: ApprovalActionsProps) => {
  const actions = readActions(form.step);
  const isUsual = actions === usualActions;
  const setAll = (next: readonly Members[] | undefined): void => form.set("actions", next);
  return (
    <Fieldset legend="Actions" p="sm">
      <Stack gap="sm">
        {isUsual && (
          <Text size="sm" c="dimmed">
            Approve and Reject. A rejection ends the execution.
          </Text>
        )}
        {!isUsual &&
          actions.map((action, index) => (
            <ActionRow
              key={`action ${index + 1}`}
              number={index + 1}
              action={action}
              others={others}
              errorAt={(pointer) => form.errorAt(`/actions/${index}${pointer}`)}
              onChange={(next) => setAll(withItem(actions, index, next))}
              onRemove={() => setAll(actions.filter((_action, at) => at !== index))}
            />
          ))}
        <Group gap="xs">
          {isUsual ? (
            <Button variant="default" size="compact-sm" onClick={() => setAll(usualActions)}>
              Edit actions
            </Button>
          ) : (
            <>
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => setAll([...actions, { id: "", label: "" }])}
              >
                Add action
              </Button>
              <Button variant="default" size="compact-sm" onClick={() => setAll(undefined)}>
                Use the default actions
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Fieldset>
  );
};

type ActionRowProps = {
  number: number;
  action: Members;
  others: StepSurroundings["others"];
  errorAt: (pointer: string) => string | undefined;
  onChange: (action: Members) => void;
  onRemove: () => void;
};

const ActionRow = ({ number, action, others, errorAt, onChange, onRemove }: ActionRowProps) => (
  <Stack gap="xs">
    <Group grow align="flex-start" gap="xs">
      <TextInput
        label={`ID of action ${number}`}
        value={textIn(action.id)}
        onChange={({ currentTarget }) => onChange({ ...action, id: currentTarget.value })}
        error={errorAt("/id")}
      />
      <TextInput
        label={`Label of action ${number}`}
        placeholder={textIn(action.id)}
        value={textIn(action.label)}
        onChange={({ currentTarget: { value } }) =>
          onChange(withMember(action, "label", value === "" ? undefined : value))
        }
        error={errorAt("/label")}
      />
    </Group>
    <ChoiceMember
      label={`Step after action ${number}`}
      placeholder={action.id === "reject" ? "None: the execution ends" : "The next steps"}
      isClearable
      value={textIn(action.target)}
      data={others}
      onChange={(target) => onChange(withMember(action, "target", target))}
      error={errorAt("/target")}
    />
    <Group>
      <Button variant="default" size="compact-sm" onClick={onRemove}>
        Remove action {number}
      </Button>
    </Group>
  </Stack>
);
