import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { AgentSelect } from "../../agents/agent-select.tsx";
import { useProviders } from "../../models/use-providers.ts";
import { useMay } from "../../session/permissions.ts";
import { JsonField } from "../../shared/json-field.tsx";
import { fieldError, refusedAt } from "../../shared/problem.ts";
import { useLoadAll } from "../../shared/use-load-all.ts";
import { isSchema, type ScorerForm, scorerTypeNames, scorerTypes } from "./scorer-form.ts";

type ScorerFieldsProps = {
  form: ScorerForm;
  onChange: (form: ScorerForm) => void;
  error: unknown;
  /** The type and the id of a new scorer can be chosen. */
  isNew?: boolean;
};

/** The fields of a scorer. */
export const ScorerFields = (props: ScorerFieldsProps) => {
  const { form, onChange, error, isNew = false } = props;
  return (
    <>
      <TextInput
        label="Name"
        data-autofocus
        value={form.displayName}
        onChange={({ currentTarget }) => onChange({ ...form, displayName: currentTarget.value })}
        error={fieldError(error, "/displayName")}
      />
      {isNew && (
        <>
          <TextInput
            label="ID"
            description="Names it in summaries, such as correct. Made by Wharf unless chosen."
            value={form.id}
            onChange={({ currentTarget }) => onChange({ ...form, id: currentTarget.value })}
            error={fieldError(error, "/id")}
          />
          <NativeSelect
            label="Type"
            data={scorerTypeNames.map((value) => ({
              value,
              label: `${value}: ${scorerTypes[value]}`,
            }))}
            value={form.type}
            onChange={({ currentTarget: { value } }) =>
              onChange({
                ...form,
                type: scorerTypeNames.find((each) => each === value) ?? form.type,
              })
            }
            error={fieldError(error, "/type")}
          />
        </>
      )}
      <MethodFields {...props} />
    </>
  );
};

/** The fields of a type. */
const MethodFields = ({ form, onChange, error }: ScorerFieldsProps) => {
  switch (form.type) {
    case "Exact":
      return (
        <TextInput
          label="Path"
          description="JSON pointer to the value that is compared, such as /answer; empty for the whole output."
          value={form.path}
          onChange={({ currentTarget }) => onChange({ ...form, path: currentTarget.value })}
          error={fieldError(error, "/path")}
        />
      );
    case "JsonSchema":
      return (
        <JsonField
          label="Schema"
          description="JSON Schema of the output."
          text={form.schema}
          onChange={(schema) => onChange({ ...form, schema })}
          error={isSchema(form.schema) ? undefined : "This is no JSON Schema."}
          problems={refusedAt(error, "/schema")}
        />
      );
    case "Expression":
      return (
        <Textarea
          label="Expression"
          description="JSONata over input, output, expected, trace, usage and cost; a number, or a boolean."
          placeholder="output.total = expected.total"
          autosize
          minRows={2}
          maxRows={12}
          value={form.value}
          onChange={({ currentTarget }) => onChange({ ...form, value: currentTarget.value })}
          error={fieldError(error, "/value")}
        />
      );
    case "Judge":
      return <JudgeFields form={form} onChange={onChange} error={error} />;
    case "Agent":
      return (
        <AgentSelect
          label="Agent"
          agent={form.agentId || undefined}
          onChange={(agentId) => onChange({ ...form, agentId: agentId ?? "" })}
          error={fieldError(error, "/agentId")}
        />
      );
  }
};

const JudgeFields = ({ form, onChange, error }: ScorerFieldsProps) => (
  <>
    {useMay()("llm_providers:read") ? (
      <ProviderField form={form} onChange={onChange} error={error} />
    ) : (
      <TextInput
        label="Provider"
        value={form.providerId}
        onChange={({ currentTarget }) => onChange({ ...form, providerId: currentTarget.value })}
        error={fieldError(error, "/llm/providerId")}
      />
    )}
    <TextInput
      label="Model"
      placeholder="the provider's default"
      value={form.model}
      onChange={({ currentTarget }) => onChange({ ...form, model: currentTarget.value })}
      error={fieldError(error, "/llm/parameters")}
    />
    <Textarea
      label="Rubric"
      description="What the model rates from 0 to 1, in plain text."
      placeholder="Is the answer polite, and does it say the same as the expected one?"
      autosize
      minRows={3}
      maxRows={16}
      value={form.rubric}
      onChange={({ currentTarget }) => onChange({ ...form, rubric: currentTarget.value })}
      error={fieldError(error, "/rubric")}
    />
  </>
);

const ProviderField = ({ form, onChange, error }: ScorerFieldsProps) => {
  const { items } = useLoadAll(useProviders());
  return (
    <NativeSelect
      label="Provider"
      data={[
        { value: "", label: "Choose a provider" },
        ...items.map(({ id, displayName }) => ({ value: id, label: displayName || id })),
      ]}
      value={form.providerId}
      onChange={({ currentTarget }) => onChange({ ...form, providerId: currentTarget.value })}
      error={fieldError(error, "/llm/providerId")}
    />
  );
};
