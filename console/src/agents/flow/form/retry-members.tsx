import { Fieldset, Group, MultiSelect, Stack } from "@mantine/core";
import { isRecord, textsIn, withMember } from "../../../flow-graph/members.ts";
import type { StepForm } from "./step-form.ts";
import { NumberMember, unmounted } from "./text-fields.tsx";

const repeatable = ["upstream-failed", "upstream-timeout", "execution-failed"];

/** When an attempt ends, and which failures are tried again. */
export const RetryMembers = ({ form }: { form: StepForm }) => {
  // The time limit of a wait is one of its own fields.
  const isWait = form.step.type === "Wait" || form.step.type === "Approval";
  const retry = isRecord(form.step.retry) ? form.step.retry : {};
  const set = (name: string, value: unknown): void => {
    const next = withMember(retry, name, value);
    form.set("retry", Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <Fieldset legend={isWait ? "Retries" : "Timeout and retries"} p="sm">
      <Stack gap="sm">
        <Group grow align="flex-start">
          {!isWait && (
            <NumberMember
              label="Timeout in seconds"
              placeholder={form.step.type === "ForEach" ? "No limit" : "60"}
              value={form.step.timeoutSeconds}
              onChange={(value) => form.set("timeoutSeconds", value)}
              error={form.errorAt("/timeoutSeconds")}
            />
          )}
          <NumberMember
            label="Max attempts"
            placeholder="1"
            value={retry.maxAttempts}
            onChange={(value) => set("maxAttempts", value)}
            error={form.errorAt("/retry/maxAttempts")}
          />
        </Group>
        {form.step.retry !== undefined && (
          <>
            <NumberMember
              label="Delay in seconds"
              placeholder="1"
              isWhole={false}
              value={retry.backoffSeconds}
              onChange={(value) => set("backoffSeconds", value)}
              error={form.errorAt("/retry/backoffSeconds")}
            />
            <MultiSelect
              comboboxProps={unmounted}
              label="Retry on"
              placeholder="upstream-failed, upstream-timeout"
              data={repeatable}
              value={textsIn(retry.on)}
              onChange={(on) => set("on", on.length === 0 ? undefined : on)}
              error={form.errorAt("/retry/on")}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
};
