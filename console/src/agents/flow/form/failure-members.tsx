import { Checkbox, Fieldset, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { isRecord } from "../../../flow-graph/members.ts";
import { problemsAt } from "../../../shared/problem.ts";
import { createStepForm, type StepForm } from "./step-form.ts";
import { ValueMember } from "./value-member.tsx";

type FailureMembersProps = { form: StepForm; children?: ReactNode };

/** Edits the handling of a step's failure: other steps, or a value as its output. */
export const FailureMembers = ({ form, children }: FailureMembersProps) => {
  const onError = isRecord(form.step.onError) ? form.step.onError : undefined;
  const inner = createStepForm(
    onError ?? {},
    (next) => form.set("onError", next),
    problemsAt(form.problems, "/onError"),
    form.isReadOnly,
  );
  return (
    <Fieldset legend="On error" p="sm">
      <Stack gap="sm">
        {children}
        <Checkbox
          label="Continue with a value"
          checked={onError !== undefined}
          disabled={form.isReadOnly}
          onChange={({ currentTarget: { checked } }) =>
            form.set("onError", checked ? { value: "" } : undefined)
          }
          error={inner.errorAt("") && !inner.errorAt("/value") ? inner.errorAt("") : undefined}
        />
        {onError && (
          <ValueMember
            form={inner}
            name="value"
            label="Output on error"
            description="JSON. {% error.detail %} is the reason of the failure."
          />
        )}
      </Stack>
    </Fieldset>
  );
};
