import { Button, Checkbox, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import {
  isRecord,
  itemsIn,
  type Members,
  textIn,
  withItem,
  withMember,
} from "../../../flow-graph/members.ts";
import { detailAt, type Refusals } from "../../../flow-graph/refusals.ts";
import { ModelMembers } from "./model-members.tsx";
import { RevisionAssets } from "./revision-assets.tsx";
import { OptionMember } from "./text-fields.tsx";

type RevisionPanelProps = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  refusals: Refusals;
};

/** Edits what belongs to the whole revision: its inputs, the model of its steps and the assets that they search. */
export const RevisionPanel = ({ draft, onChange, refusals }: RevisionPanelProps) => {
  const errorAt = (pointer: string): string | undefined => detailAt(refusals.others, pointer);
  const [llm, ...otherLlms] = itemsIn(draft.llmConfigs);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Select a step to edit it. These fields are of the whole revision.
      </Text>
      <Inputs draft={draft} onChange={onChange} errorAt={errorAt} />
      <ModelMembers
        llm={llm}
        placeholder="None: every Prompt has its own"
        onChange={(next) =>
          onChange({ ...draft, llmConfigs: next ? [next, ...otherLlms] : otherLlms })
        }
        errorAt={(pointer) => errorAt(`/llmConfigs/0${pointer}`)}
        error={errorAt("/llmConfigs")}
      />
      <RevisionAssets draft={draft} onChange={onChange} error={errorAt("/assets")} />
      <Checkbox
        label="Remembers the conversation of a chat"
        checked={draft.useSession === true}
        onChange={({ currentTarget }) => onChange({ ...draft, useSession: currentTarget.checked })}
        error={errorAt("/useSession")}
      />
    </Stack>
  );
};

const inputTypes = ["String", "Integer", "Float", "Boolean", "Option", "Json", "Asset"];

type InputsProps = Pick<RevisionPanelProps, "draft" | "onChange"> & {
  errorAt: (pointer: string) => string | undefined;
};

/** Inputs of an execution, which expressions read as `input.NAME`. */
const Inputs = ({ draft, onChange, errorAt }: InputsProps) => {
  const inputs = itemsIn(draft.parametersMetadata).map((item) => (isRecord(item) ? item : {}));
  const setAll = (next: readonly Members[]): void =>
    onChange({ ...draft, parametersMetadata: next });
  return (
    <Fieldset legend="Inputs" p="sm">
      <Stack gap="sm">
        {inputs.length === 0 && (
          <Text size="sm" c="dimmed">
            None: expressions read an input as input.name once it is here.
          </Text>
        )}
        {inputs.map((input, index) => (
          <InputRow
            key={`input ${index + 1}`}
            number={index + 1}
            input={input}
            onChange={(next) => setAll(withItem(inputs, index, next))}
            onRemove={() => setAll(inputs.filter((_input, at) => at !== index))}
            errorAt={(pointer) => errorAt(`/parametersMetadata/${index}${pointer}`)}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => setAll([...inputs, { name: "", type: "String", required: true }])}
        >
          Add input
        </Button>
      </Stack>
    </Fieldset>
  );
};

type InputRowProps = {
  number: number;
  input: Members;
  onChange: (input: Members) => void;
  onRemove: () => void;
  errorAt: (pointer: string) => string | undefined;
};

const InputRow = ({ number, input, onChange, onRemove, errorAt }: InputRowProps) => (
  <div>
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        label={`Input ${number}`}
        flex={1}
        value={textIn(input.name)}
        onChange={({ currentTarget }) => onChange({ ...input, name: currentTarget.value })}
        error={errorAt("/name")}
      />
      <OptionMember
        label={`Type of input ${number}`}
        value={textIn(input.type) || "String"}
        options={inputTypes.map((type) => ({ value: type, label: type }))}
        onChange={(type) => onChange({ ...input, type })}
        error={errorAt("/type")}
      />
    </Group>
    <Group gap="md" mt={6}>
      <Checkbox
        size="xs"
        label={`Input ${number} is required`}
        checked={input.required === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange(withMember(input, "required", checked || undefined))
        }
      />
      <Button variant="subtle" size="compact-xs" color="red" onClick={onRemove}>
        Remove input {number}
      </Button>
    </Group>
  </div>
);
