import { Button, Group, Stack } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { useIsStillHere } from "../shared/use-is-still-here.ts";
import { GuardrailFields } from "./guardrail-fields.tsx";
import { emptyGuardrailForm, guardrailPointers, toGuardrailBody } from "./guardrail-form.ts";
import { useSaveGuardrail } from "./use-guardrails.ts";

/** Creates a guardrail. */
export const CreateGuardrailPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const startAction = useIsStillHere();
  const [form, setForm] = useState(emptyGuardrailForm);
  const { mutate, error, isPending } = useSaveGuardrail();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isStillHere = startAction();
    mutate(toGuardrailBody(form), {
      onSuccess: ({ id: guardrail }) => {
        if (!isStillHere()) return;
        void navigate({
          to: "/t/$tenant/guardrails/details/$guardrail",
          params: { tenant, guardrail },
        });
      },
    });
  };
  return (
    <Page
      title="Create guardrail"
      back={`/t/${tenant}/guardrails`}
      description="Checks are applied in order. You can try the guardrail before an agent uses it."
    >
      <form onSubmit={submit} noValidate>
        <Stack maw={900}>
          <GuardrailFields form={form} onChange={setForm} error={error} isNew />
          <ProblemAlert error={error} shownAt={guardrailPointers} />
          <Group>
            <Button type="submit" loading={isPending}>
              Create
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
};
