import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  Stack,
  Text,
  Textarea,
  Title,
} from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CheckVerdict, Guardrail, GuardrailResult } from "../../../client/openapi.ts";
import { formatScore } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { fieldError } from "../shared/problem.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge, type StatusKind } from "../shared/status-badge.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { checkPlaces, isPlace } from "./check-types.ts";
import { useCheckGuardrail } from "./use-guardrails.ts";

const parse = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** Applies the saved guardrail to a value. */
export const TryPane = ({ guardrail }: { guardrail: Guardrail }) => {
  const [on, setOn] = useState<keyof typeof checkPlaces>(guardrail.checks[0]?.on?.[0] ?? "output");
  const [text, setText] = useState("");
  const [isJson, setIsJson] = useState(false);
  const { mutate, data, error, isPending } = useCheckGuardrail(guardrail.id);
  const parsed = isJson ? parse(text) : { value: text };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (parsed) mutate({ on, value: parsed.value });
  };
  return (
    <Paper component="section" aria-label="Try it" withBorder p="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Title order={2} size="h4">
            Try it
          </Title>
          <Text size="sm" c="dimmed">
            Applies the saved guardrail to a value. Nothing is stored.
          </Text>
          <NativeSelect
            label="Place"
            value={on}
            data={Object.entries(checkPlaces).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget: { value } }) => {
              if (isPlace(value)) setOn(value);
            }}
            error={fieldError(error, "/on")}
          />
          <Textarea
            label="Value to check"
            autosize
            minRows={4}
            maxRows={16}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={parsed ? fieldError(error, "/value") : "This is not valid JSON."}
          />
          <Checkbox
            label="The value is JSON"
            checked={isJson}
            onChange={({ currentTarget }) => setIsJson(currentTarget.checked)}
          />
          <Group>
            <Button type="submit" variant="default" loading={isPending}>
              {" "}
              Apply guardrail{" "}
            </Button>
          </Group>
          <ProblemAlert error={error} shownAt={["/on", "/value"]} />
          <div aria-live="polite">{data && !error && <Result result={data} />}</div>
        </Stack>
      </form>
    </Paper>
  );
};

const kinds: Readonly<Record<CheckVerdict["outcome"], StatusKind>> = {
  passed: "good",
  flagged: "busy",
  masked: "busy",
  blocked: "bad",
  failed: "bad",
};

/** A verdict; of checks that ask a service, with a rating and with what failed. */
type Verdict = CheckVerdict & { score?: number; error?: string };

const describeFound = ({ found, score, error }: Verdict): string =>
  [...found, score !== undefined && `rating ${formatScore(score)}`, error]
    .filter(Boolean)
    .join(", ");

const columns: readonly Column<Verdict>[] = [
  { header: "Check", cell: ({ check }) => check },
  { header: "Type", cell: ({ type }) => type },
  {
    header: "Outcome",
    cell: ({ outcome }) => <StatusBadge status={outcome} kind={kinds[outcome]} />,
  },
  { header: "Found", isWide: true, cell: describeFound },
];

const Result = ({ result: { blocked, value, verdicts } }: { result: GuardrailResult }) => (
  <Stack gap="sm">
    {verdicts.length === 0 ? (
      <Text size="sm">No check is applied at this place.</Text>
    ) : (
      <ResourceTable<Verdict>
        label="Verdicts"
        list={toListState<Verdict>({ data: verdicts })}
        getId={({ check }) => check}
        columns={columns}
        empty={null}
      />
    )}
    {blocked ? (
      <Text size="sm">The value is blocked.</Text>
    ) : (
      <JsonView label="Value after the checks" value={value} />
    )}
  </Stack>
);
