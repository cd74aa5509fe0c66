import { Stack } from "@mantine/core";
import { NameFields } from "../shared/name-fields.tsx";
import type { FormState } from "../shared/text-field.ts";
import { ChecksField } from "./checks-field.tsx";
import type { GuardrailForm } from "./guardrail-form.ts";

/** The fields of a guardrail; the id of a new one can be chosen. */
export const GuardrailFields = (props: FormState<GuardrailForm> & { isNew: boolean }) => {
  const { form, onChange, error } = props;
  return (
    <Stack>
      <NameFields {...props} idUse="Identifies the guardrail in revisions and in the tenant." />
      <ChecksField
        checks={form.checks}
        onChange={(checks) => onChange({ ...form, checks })}
        error={error}
      />
    </Stack>
  );
};
