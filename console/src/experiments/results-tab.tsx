import { Anchor, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ExperimentResult } from "../../../client/openapi.ts";
import { statusKinds } from "../executions/status.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatDuration, formatKnownCost, formatScore } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import type { ExperimentSearch } from "./search.ts";
import type { ExperimentDetail } from "./use-experiments.ts";
import { useResults } from "./use-experiments.ts";

type ResultsTabProps = {
  experiment: ExperimentDetail;
  search: ExperimentSearch;
  onChange: (search: ExperimentSearch) => void;
};

const buildColumns = (tenant: string, experiment: ExperimentDetail): Column<ExperimentResult>[] => [
  {
    header: "Example",
    cell: ({ exampleId, executionId }) =>
      executionId === null ? (
        exampleId
      ) : (
        <Anchor
          component={Link}
          to={`/t/${tenant}/executions/${experiment.agentId}/${executionId}`}
          style={{ overflowWrap: "anywhere" }}
        >
          {exampleId}
        </Anchor>
      ),
  },
  { header: "Revision", isNumber: true, cell: ({ revision }) => revision },
  ...(experiment.repetitions > 1
    ? [
        {
          header: "Repetition",
          isNumber: true,
          cell: ({ repetition }: ExperimentResult) => repetition,
        },
      ]
    : []),
  {
    header: "Status",
    isWide: true,
    cell: ({ status, error }) => (
      <>
        <StatusBadge status={status} kind={statusKinds[status]} />
        {error !== null && (
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {error}
          </Text>
        )}
      </>
    ),
  },
  ...experiment.scorers.map((scorer) => ({
    header: scorer,
    cell: ({ scores }: ExperimentResult) => <Score result={scores} scorer={scorer} />,
  })),
  {
    header: "Cost",
    isNumber: true,
    isSecondary: true,
    cell: ({ cost, priced }) => formatKnownCost(cost, priced),
  },
  {
    header: "Duration",
    isNumber: true,
    isSecondary: true,
    cell: ({ durationMs }) => (durationMs === null ? "" : formatDuration(durationMs)),
  },
];

type ScoreProps = { result: ExperimentResult["scores"]; scorer: string };

const Score = ({ result, scorer }: ScoreProps) => {
  const score = result.find((candidate) => candidate.scorer === scorer);
  if (!score) return null;
  return (
    <>
      {score.value === null ? "undetermined" : formatScore(score.value)}
      {score.comment && (
        <Text size="sm" c="dimmed" lineClamp={3} title={score.comment}>
          {score.comment}
        </Text>
      )}
    </>
  );
};

/** Lists the results of all runs. */
export const ResultsTab = ({ experiment, search, onChange }: ResultsTabProps) => {
  const tenant = useTenant();
  const { revisions, progress } = experiment;
  const revision = revisions.find((candidate) => candidate === search.revision);
  const list = useResults(experiment.id, { revision }, progress.completed);
  return (
    <Stack>
      {revisions.length > 1 && (
        <Group>
          <NativeSelect
            label="Revision"
            data={[{ value: "", label: "all" }, ...revisions.map(String)]}
            value={revision === undefined ? "" : String(revision)}
            onChange={({ currentTarget: { value } }) => {
              const { revision: _, ...rest } = search;
              onChange({
                ...rest,
                tab: "results",
                ...(value !== "" && { revision: Number(value) }),
              });
            }}
          />
        </Group>
      )}
      <ResourceTable
        label="Results"
        list={list}
        getId={(result) => `${result.revision} ${result.exampleId} ${result.repetition}`}
        columns={buildColumns(tenant, experiment)}
        empty={
          <EmptyState title="No results">
            {experiment.endedAt === null
              ? "Results appear when runs end."
              : "The experiment ended before a run had a result."}
          </EmptyState>
        }
      />
    </Stack>
  );
};
