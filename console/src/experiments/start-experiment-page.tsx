import { Button, Group, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTenant } from "../session/tenant.ts";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { useIsStillHere } from "../shared/use-is-still-here.ts";
import { StartFields } from "./start-fields.tsx";
import { emptyStartForm, startPointers, toStartBody } from "./start-form.ts";
import { useStartExperiment } from "./use-experiments.ts";

const route = getRouteApi("/t/$tenant/experiments/new");

/** Starts an experiment. */
export const StartExperimentPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const startAction = useIsStillHere();
  const { dataset, agent } = route.useSearch();
  const [form, setForm] = useState({ ...emptyStartForm, datasetId: dataset, agentId: agent });
  const { mutate, error, isPending } = useStartExperiment();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isStillHere = startAction();
    mutate(toStartBody(form), {
      onSuccess: ({ id }) => {
        if (!isStillHere()) return;
        void navigate({
          to: "/t/$tenant/experiments/$experiment",
          params: { tenant, experiment: id },
        });
      },
    });
  };
  return (
    <Page
      title="Start experiment"
      back={`/t/${tenant}/experiments`}
      description="Every revision runs on every example, and scorers rate the outputs. Budgets of the agent apply."
    >
      <form onSubmit={submit} noValidate>
        <Stack maw={720}>
          <StartFields form={form} onChange={setForm} error={error} />
          <ProblemAlert error={error} shownAt={startPointers} />
          <Group>
            <Button type="submit" loading={isPending}>
              {" "}
              Start experiment{" "}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
};
