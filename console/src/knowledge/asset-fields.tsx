import { NativeSelect, Stack } from "@mantine/core";
import type { SourceType } from "../../../client/openapi.ts";
import { FormFromSchema } from "../shared/form-from-schema.tsx";
import { NameFields } from "../shared/name-fields.tsx";
import { fieldError } from "../shared/problem.ts";
import type { FormState } from "../shared/text-field.ts";
import { type AssetForm, refreshes } from "./asset-form.ts";
import { EmbeddingFields } from "./embedding-fields.tsx";
import { uploadType } from "./source-types.ts";

type AssetFieldsProps = FormState<AssetForm> & { type: SourceType; isNew: boolean };

/** The fields of an asset. */
export const AssetFields = (props: AssetFieldsProps) => {
  const { type, form, onChange, error, isNew } = props;
  const change = (part: Partial<AssetForm>): void => onChange({ ...form, ...part });
  const isUpload = type.key === uploadType.key;
  return (
    <Stack>
      <NameFields
        {...props}
        nameUse="Models read it to decide what to search for."
        idUse="Identifies the asset in revisions."
      />
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
            description="How often the source is read. Only changes are embedded."
            data={[...refreshes]}
            value={form.refresh}
            onChange={({ currentTarget: { value } }) =>
              change({ refresh: refreshes.find((refresh) => refresh.value === value)?.value ?? "" })
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
