import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { AgentSelect } from "../../agent-queries/agent-select.tsx";
import { useProviders } from "../../models/use-providers.ts";
import { useMay } from "../../session/permissions.ts";
import { JsonField } from "../../shared/json-field.tsx";
import { NameFields } from "../../shared/name-fields.tsx";
import { fieldError, refusedAt } from "../../shared/problem.ts";
import { type FormState, textField } from "../../shared/text-field.ts";
import { useLoadAll } from "../../shared/use-load-all.ts";
import { isSchema, type ScorerForm, scorerTypeNames, scorerTypes } from "./scorer-form.ts";

type ScorerState = FormState<ScorerForm>;

/** The fields of a scorer; the type and the id of a new one can be chosen. */
export const ScorerFields = (props: ScorerState & { isNew: boolean }) => {
  const { form, onChange, error, isNew } = props;
  return (
    <>
      <NameFields {...props} idUse="Names its scores in summaries, such as correct." />
      {isNew && (
        <NativeSelect
          label="Type"
          data={scorerTypeNames.map((value) => ({
            value,
            label: `${value}: ${scorerTypes[value]}`,
          }))}
          value={form.type}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...form, type: scorerTypeNames.find((name) => name === value) ?? form.type })
          }
          error={fieldError(error, "/type")}
        />
      )}
      <MethodFields form={form} onChange={onChange} error={error} />
    </>
  );
};

/** The fields of a type. */
const MethodFields = (props: ScorerState) => {
  const { form, onChange, error } = props;
  switch (form.type) {
    case "Exact":
      return (
        <TextInput
          label="Path"
          description="JSON pointer to the value that is compared, such as /answer; empty for the whole output."
          {...textField(props, "path")}
        />
      );
    case "JsonSchema":
      return (
        <JsonField
          label="Schema"
          description="JSON Schema of the output."
          text={form.schema}
          onChange={(schema) => onChange({ ...form, schema })}
          error={isSchema(form.schema) ? undefined : "This is not a JSON Schema."}
          problems={refusedAt(error, "/schema")}
        />
      );
    case "Expression":
      return (
        <Textarea
          label="Expression"
          description="A JSONata expression that reads input, output, expected, trace, usage and cost. Returns a number or a boolean."
          placeholder="output.total = expected.total"
          autosize
          minRows={2}
          maxRows={12}
          {...textField(props, "value")}
        />
      );
    case "Judge":
      return <JudgeFields {...props} />;
    case "Agent":
      return (
        <AgentSelect
          label="Agent"
          agent={form.agentId || undefined}
          onChange={(agentId) => onChange({ ...form, agentId: agentId ?? "" })}
          error={fieldError(error, "/agentId")}
        />
      );
    case "Guardrail":
      return (
        <TextInput
          label="Guardrail"
          description="ID of the guardrail. Its output checks run, but do not block."
          {...textField(props, "guardrailId")}
        />
      );
  }
};

const JudgeFields = (props: ScorerState) => (
  <>
    {useMay()("llm_providers:read") ? (
      <ProviderField {...props} />
    ) : (
      <TextInput label="Provider" {...textField(props, "providerId", "/llm/providerId")} />
    )}
    <TextInput
      label="Model"
      placeholder="Default of the provider"
      {...textField(props, "model", "/llm/parameters")}
    />
    <Textarea
      label="Rubric"
      description="The criteria that the model rates from 0 to 1, in plain text."
      placeholder="Is the answer polite, and does it say the same as the expected one?"
      autosize
      minRows={3}
      maxRows={16}
      {...textField(props, "rubric")}
    />
  </>
);

const ProviderField = (props: ScorerState) => {
  const { items } = useLoadAll(useProviders());
  return (
    <NativeSelect
      label="Provider"
      data={[
        { value: "", label: "Choose a provider" },
        ...items.map(({ id, displayName }) => ({ value: id, label: displayName || id })),
      ]}
      {...textField(props, "providerId", "/llm/providerId")}
    />
  );
};
