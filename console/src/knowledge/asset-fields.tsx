import { NativeSelect, Stack, TextInput } from "@mantine/core";
import type { SourceType } from "../../../client/openapi.ts";
import { FormFromSchema } from "../shared/form-from-schema.tsx";
import { fieldError } from "../shared/problem.ts";
import { type AssetForm, refreshes } from "./asset-form.ts";
import { EmbeddingFields } from "./embedding-fields.tsx";
import { uploadType } from "./source-types.ts";

type AssetFieldsProps = {
  type: SourceType;
  form: AssetForm;
  onChange: (form: AssetForm) => void;
  error: unknown;
  /** The id of an asset that exists cannot be changed. */
  isNew: boolean;
};

/** The fields of an asset. */
export const AssetFields = ({ type, form, onChange, error, isNew }: AssetFieldsProps) => {
  const change = (part: Partial<AssetForm>): void => onChange({ ...form, ...part });
  const isUpload = type.key === uploadType.key;
  return (
    <Stack>
      <TextInput
        label="Name"
        description="Models read it to decide what to search for."
        value={form.displayName}
        onChange={({ currentTarget }) => change({ displayName: currentTarget.value })}
        error={fieldError(error, "/displayName")}
      />
      {isNew && (
        <TextInput
          label="ID"
          description="Revisions name the asset by it. Made by the service, if empty."
          value={form.id}
          onChange={({ currentTarget }) => change({ id: currentTarget.value })}
          error={fieldError(error, "/id")}
        />
      )}
      {!isUpload && (
        <>
          <FormFromSchema
            fields={type.parameters}
            texts={form.parameters}
            onChange={(parameters) => change({ parameters })}
            error={error}
            pointer="/parameters"
          />
          <NativeSelect
            label="Refresh"
            description="How often the source is read again. Only what changed is embedded."
            data={[...refreshes]}
            value={form.refresh}
            onChange={({ currentTarget: { value } }) =>
              change({ refresh: refreshes.find((each) => each.value === value)?.value ?? "" })
            }
            error={fieldError(error, "/refresh")}
          />
        </>
      )}
      <EmbeddingFields
        embedding={form}
        onChange={({ providerId, model }) => change({ providerId, model })}
        error={error}
        isNew={isNew}
      />
    </Stack>
  );
};
