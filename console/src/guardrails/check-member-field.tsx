import { Group, MultiSelect, NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { isRecord, textIn, textsIn, withMember } from "../flow-graph/members.ts";
import { ModelField } from "../models/model-field.tsx";
import { useProviders } from "../models/use-providers.ts";
import { useMay } from "../session/permissions.ts";
import { fieldError } from "../shared/problem.ts";
import { useLoadAll } from "../shared/use-load-all.ts";
import type { CheckMember } from "./check-types.ts";

type CheckMemberFieldProps = {
  member: CheckMember;
  label: string;
  value: unknown;
  /** Replaces the member; undefined removes it. */
  onChange: (value: unknown) => void;
  error: unknown;
  pointer: string;
};

/** The field of a member that a type of check has. */
export const CheckMemberField = (props: CheckMemberFieldProps) => {
  const { member, label, value, onChange, error, pointer } = props;
  const { description, placeholder } = member;
  const shown = { label, description, placeholder, error: fieldError(error, pointer) };
  switch (member.kind) {
    case "choices":
      return (
        <MultiSelect
          {...shown}
          placeholder={textsIn(value).length === 0 ? placeholder : undefined}
          comboboxProps={{ keepMounted: false }}
          searchable
          value={textsIn(value)}
          data={Object.entries(member.options).map(([name, text]) => ({
            value: name,
            label: `${name}: ${text}`,
          }))}
          onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...shown}
          hideControls
          value={typeof value === "number" ? value : ""}
          onChange={(typed) => onChange(typed === "" ? undefined : Number(typed))}
        />
      );
    case "long text":
      return (
        <Textarea
          {...shown}
          autosize
          minRows={2}
          maxRows={12}
          value={textIn(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case "provider":
      return (
        <ProviderField
          {...shown}
          value={textIn(value)}
          onChange={(providerId) => onChange(providerId || undefined)}
        />
      );
    case "model":
      return <ModelReferenceField {...props} />;
    case "text":
      return (
        <TextInput
          {...shown}
          value={textIn(value)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
};

/** A reference to a model: `{providerId, parameters: {model}}`. */
const ModelReferenceField = (props: CheckMemberFieldProps) => {
  const { label, value, onChange, error, pointer } = props;
  const llm = isRecord(value) ? value : {};
  const parameters = isRecord(llm.parameters) ? llm.parameters : {};
  const providerId = textIn(llm.providerId);
  return (
    <Group grow align="flex-start">
      <ProviderField
        label={label}
        error={fieldError(error, `${pointer}/providerId`)}
        value={providerId}
        onChange={(chosen) => onChange({ ...llm, providerId: chosen })}
      />
      <ModelField
        label={label.replace(/^\S+/, "Model")}
        placeholder="Default of the provider"
        providerId={providerId === "" ? undefined : providerId}
        value={textIn(parameters.model)}
        onChange={(model) =>
          onChange({ ...llm, parameters: withMember(parameters, "model", model || undefined) })
        }
        error={fieldError(error, `${pointer}/parameters`)}
      />
    </Group>
  );
};

type ProviderFieldProps = {
  label: string;
  description?: string | undefined;
  value: string;
  onChange: (providerId: string) => void;
  error: string | undefined;
};

const ProviderField = (props: ProviderFieldProps) => {
  const { onChange, ...field } = props;
  return useMay()("llm_providers:read") ? (
    <ProviderSelect {...props} />
  ) : (
    <TextInput {...field} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
};

const ProviderSelect = ({ value, onChange, ...field }: ProviderFieldProps) => {
  const { items } = useLoadAll(useProviders());
  const isKnown = value === "" || items.some(({ id }) => id === value);
  return (
    <NativeSelect
      {...field}
      value={value}
      data={[
        { value: "", label: "Choose a provider" },
        ...(isKnown ? [] : [{ value, label: value }]),
        ...items.map(({ id, displayName }) => ({ value: id, label: displayName || id })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};
