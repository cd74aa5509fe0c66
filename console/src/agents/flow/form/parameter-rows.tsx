import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import {
  itemsIn,
  type Members,
  textIn,
  textsIn,
  withItem,
  withMember,
} from "../../../flow-graph/members.ts";
import { FileParameter, withType } from "./file-parameter.tsx";
import { OptionMember } from "./text-fields.tsx";

const types = ["String", "Integer", "Float", "Boolean", "Option", "Json", "Asset"];
const typesOfInputs = [...types, "File"];

type ParameterRowsProps = {
  legend: string;
  /** Name of a row, such as `input`. */
  noun: string;
  /** Shown where there is none. */
  none: string;
  items: readonly Members[];
  onChange: (items: readonly Members[]) => void;
  errorAt: (pointer: string) => string | undefined;
  /** Whether a parameter may be a file. */
  hasFiles?: boolean;
};

/** Edits parameter descriptors: inputs of a revision, fields of an approval. */
export const ParameterRows = (props: ParameterRowsProps) => {
  const { legend, noun, none, items, onChange, errorAt, hasFiles = false } = props;
  return (
    <Fieldset legend={legend} p="sm">
      <Stack gap="sm">
        {items.length === 0 && (
          <Text size="sm" c="dimmed">
            {none}
          </Text>
        )}
        {items.map((item, index) => (
          <ParameterRow
            key={`${noun} ${index + 1}`}
            noun={noun}
            number={index + 1}
            item={item}
            onChange={(next) => onChange(withItem(items, index, next))}
            onRemove={() => onChange(items.filter((_item, at) => at !== index))}
            errorAt={(pointer) => errorAt(`/${index}${pointer}`)}
            hasFiles={hasFiles}
          />
        ))}
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onChange([...items, { name: "", type: "String", required: true }])}
        >
          Add {noun}
        </Button>
      </Stack>
    </Fieldset>
  );
};

type ParameterRowProps = {
  noun: string;
  number: number;
  item: Members;
  onChange: (item: Members) => void;
  onRemove: () => void;
  errorAt: (pointer: string) => string | undefined;
  hasFiles: boolean;
};

const ParameterRow = (props: ParameterRowProps) => {
  const { noun, number, item, onChange, onRemove, errorAt, hasFiles } = props;
  const name = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} ${number}`;
  const options = textsIn(item.options);
  return (
    <div>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          label={name}
          flex={1}
          value={textIn(item.name)}
          onChange={({ currentTarget }) => onChange({ ...item, name: currentTarget.value })}
          error={errorAt("/name")}
        />
        <OptionMember
          label={`Type of ${noun} ${number}`}
          value={textIn(item.type) || "String"}
          options={(hasFiles ? typesOfInputs : types).map((type) => ({ value: type, label: type }))}
          onChange={(type) => onChange(withType(item, type))}
          error={errorAt("/type")}
        />
      </Group>
      {item.type === "Option" && options.length === itemsIn(item.options).length && (
        <TagsInput
          label={`Options of ${noun} ${number}`}
          mt={6}
          value={options}
          onChange={(next) => onChange(withMember(item, "options", next))}
          error={errorAt("/options")}
        />
      )}
      {item.type === "File" && (
        <FileParameter
          name={`${noun} ${number}`}
          item={item}
          onChange={onChange}
          errorAt={errorAt}
        />
      )}
      <Group gap="md" mt={6}>
        <Checkbox
          size="xs"
          label={`${name} is required`}
          checked={item.required === true}
          onChange={({ currentTarget: { checked } }) =>
            onChange(withMember(item, "required", checked || undefined))
          }
        />
        <Button variant="subtle" size="compact-xs" color="red" onClick={onRemove}>
          Remove {noun} {number}
        </Button>
      </Group>
    </div>
  );
};
