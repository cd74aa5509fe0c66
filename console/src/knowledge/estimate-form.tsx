import { Button, Group, NativeSelect, Stack } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Agent, SourceType } from "../../../client/openapi.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { FormFromSchema, type FormTexts } from "../shared/form-from-schema.tsx";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import type { useEstimate } from "./use-assets.ts";

const route = getRouteApi("/t/$tenant/knowledge/estimate");

type EstimateFormProps = {
  types: readonly SourceType[];
  agents: readonly Agent[];
  estimate: ReturnType<typeof useEstimate>;
};

/** The source of an estimate, which the address names, and its parameters. */
export const EstimateForm = ({ types, agents, estimate }: EstimateFormProps) => {
  const { tenant } = route.useParams();
  const search = route.useSearch();
  const navigate = useNavigate();
  const [texts, setTexts] = useState<FormTexts>({});
  const { mutate, error, isPending } = estimate;
  const type = types.find(({ key }) => key === search.type) ?? types[0];
  const agent = agents.find(({ id }) => id === search.agent) ?? agents[0];
  if (!type || !agent) {
    return (
      <EmptyState title="No agents yet">
        Create an agent first: an estimate is made for the knowledge of an agent.
      </EmptyState>
    );
  }
  const choose = (chosen: { type?: string; agent?: string }): void =>
    void navigate({
      to: "/t/$tenant/knowledge/estimate",
      params: { tenant },
      search: { ...search, ...chosen },
      replace: true,
    });
  const names = new Set(type.parameters.map(({ name }) => name));
  const filled = Object.entries(texts).filter(([name, text]) => names.has(name) && text !== "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({
      agent: agent.id,
      body: { type: type.key, parameters: Object.fromEntries(filled) },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack maw={640}>
        <NativeSelect
          label="Source"
          data={types.map(({ key, displayName }) => ({ value: key, label: displayName }))}
          value={type.key}
          onChange={({ currentTarget }) => choose({ type: currentTarget.value })}
          error={fieldError(error, "/type")}
        />
        <NativeSelect
          label="Agent"
          data={agents.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          value={agent.id}
          onChange={({ currentTarget }) => choose({ agent: currentTarget.value })}
        />
        <FormFromSchema
          fields={type.parameters}
          texts={texts}
          onChange={setTexts}
          error={error}
          pointer="/parameters"
        />
        <ProblemAlert
          error={error}
          shownAt={["/type", ...type.parameters.map(({ name }) => `/parameters/${name}`)]}
        />
        <Group>
          <Button type="submit" loading={isPending}>
            Estimate
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
