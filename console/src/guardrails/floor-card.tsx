import { Button, Group, MultiSelect, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Guardrail } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { useFloor, useSaveFloor } from "./use-guardrails.ts";

type FloorCardProps = { guardrails: readonly Guardrail[] };

/** Shows and changes the guardrails of all agents of the tenant. */
export const FloorCard = ({ guardrails }: FloorCardProps) => {
  const mayWrite = useMay()("organization:write");
  const { data: floor, error } = useFloor();
  return (
    <Paper component="section" aria-label="All agents" withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h4">
          All agents
        </Title>
        <Text size="sm" c="dimmed">
          Applied to every execution of this tenant, before the guardrails of its revision. A change
          reaches all executions within five minutes.
        </Text>
        <ReadProblem error={error} />
        {!floor && !error && <Skeleton height={36} role="status" aria-label="Loading" />}
        {floor &&
          (mayWrite ? (
            <FloorForm floor={floor} guardrails={guardrails} />
          ) : (
            <Text>{floor.length === 0 ? "None." : nameAll(floor, guardrails).join(", ")}</Text>
          ))}
      </Stack>
    </Paper>
  );
};

const nameAll = (ids: readonly string[], guardrails: readonly Guardrail[]): string[] =>
  ids.map((id) => guardrails.find((guardrail) => guardrail.id === id)?.displayName ?? id);

type FloorFormProps = FloorCardProps & { floor: readonly string[] };

const FloorForm = ({ floor, guardrails }: FloorFormProps) => {
  const [typed, setTyped] = useState<readonly string[]>();
  const { mutate, error, isPending } = useSaveFloor();
  const chosen = typed ?? floor;
  const isChanged = chosen.join(" ") !== floor.join(" ");
  const names = new Map([
    ...floor.map((id) => [id, id] as const),
    ...guardrails.map(({ id, displayName }) => [id, displayName] as const),
  ]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate([...chosen], { onSuccess: () => setTyped(undefined) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <MultiSelect
          comboboxProps={{ keepMounted: false }}
          label="Guardrails of all agents"
          placeholder={chosen.length === 0 ? "none" : undefined}
          searchable
          nothingFoundMessage="No guardrail has this name"
          value={[...chosen]}
          data={[...names].map(([value, label]) => ({ value, label }))}
          onChange={setTyped}
          error={fieldError(error, "/guardrails")}
        />
        <ProblemAlert error={error} shownAt={["/guardrails"]} />
        <Group>
          <Button type="submit" variant="default" loading={isPending} disabled={!isChanged}>
            Save for all agents
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
