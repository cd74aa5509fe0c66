import { NativeSelect, PasswordInput, Stack, TextInput } from "@mantine/core";
import { NameFields } from "../shared/name-fields.tsx";
import { fieldError } from "../shared/problem.ts";
import { type FormState, textField } from "../shared/text-field.ts";
import { ModelField } from "./model-field.tsx";
import { type ProviderForm, type RemoteType, remoteTypes, typeNames } from "./provider-form.ts";

type ProviderFieldsProps = FormState<ProviderForm> & {
  /** Type and id of a provider that exists cannot be changed. */
  isNew: boolean;
};

const addresses: Readonly<Partial<Record<RemoteType, string>>> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "https://models.example.com/v1",
};

/** The fields of a provider. */
export const ProviderFields = (props: ProviderFieldsProps) => {
  const { form, onChange, error, isNew } = props;
  const chooseType = (value: string): void => {
    const type = remoteTypes.find((remoteType) => remoteType === value);
    if (type) onChange({ ...form, type });
  };
  return (
    <Stack>
      {isNew && (
        <NativeSelect
          label="Type"
          data={remoteTypes.map((value) => ({ value, label: typeNames[value] }))}
          value={form.type}
          onChange={({ currentTarget }) => chooseType(currentTarget.value)}
          error={fieldError(error, "/type")}
        />
      )}
      <NameFields {...props} isNameOptional idUse="Identifies the provider in steps of flows." />
      <PasswordInput
        label="API key"
        description={keyHint(form.type, isNew)}
        placeholder={isNew ? undefined : "********"}
        autoComplete="off"
        {...textField(props, "apiKey")}
      />
      <TextInput
        label="Address"
        description={
          form.type === "openai-compatible"
            ? "Required."
            : "If empty, the public address of the provider."
        }
        placeholder={addresses[form.type]}
        {...textField(props, "baseUrl")}
      />
      {form.type === "bedrock" && (
        <TextInput
          label="Region"
          description="If empty, the region of the deployment."
          placeholder="eu-central-1"
          {...textField(props, "region")}
        />
      )}
      <ModelField
        label="Default model"
        description="Used by steps without a model."
        providerId={isNew ? undefined : form.id}
        value={form.defaultModel}
        onChange={(defaultModel) => onChange({ ...form, defaultModel })}
        error={fieldError(error, "/defaultModel")}
      />
    </Stack>
  );
};

const keyHint = (type: RemoteType, isNew: boolean): string => {
  if (!isNew) return "Stored encrypted and never shown. Leave it empty to keep the stored one.";
  if (type === "bedrock")
    return "Optional. If empty, requests are signed with the role of the deployment.";
  return "Stored encrypted and never shown.";
};
