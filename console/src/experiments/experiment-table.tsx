import { Anchor, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Experiment } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { experimentKinds, experimentStatusNames, formatExperimentName } from "./status.ts";
import { useExperiments } from "./use-experiments.ts";

const formatProgress = ({ progress: { completed, total } }: Experiment): string =>
  total === null ? formatCount(completed) : `${formatCount(completed)} of ${formatCount(total)}`;

const buildColumns = (tenant: string): Column<Experiment>[] => [
  {
    header: "Experiment",
    cell: (experiment) => (
      <Anchor component={Link} to={`/t/${tenant}/experiments/${experiment.id}`}>
        {formatExperimentName(experiment)}
      </Anchor>
    ),
  },
  {
    header: "Status",
    cell: ({ status }) => (
      <StatusBadge status={experimentStatusNames[status]} kind={experimentKinds[status]} />
    ),
  },
  { header: "Runs", isNumber: true, cell: formatProgress },
  {
    header: "Dataset",
    cell: ({ datasetId, version }) => `${datasetId}, version ${version}`,
  },
  { header: "Agent", isSecondary: true, cell: ({ agentId }) => agentId },
  { header: "Revisions", isSecondary: true, cell: ({ revisions }) => revisions.join(", ") },
  {
    header: "Cost",
    isNumber: true,
    isSecondary: true,
    cell: ({ totalCost, priced }) => formatKnownCost(totalCost, priced),
  },
  { header: "Started", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists the experiments with their progress. */
export const ExperimentTable = () => {
  const tenant = useTenant();
  const list = useExperiments({ isLive: true });
  return (
    <ResourceTable
      label="Experiments"
      list={list}
      getId={({ id }) => id}
      columns={buildColumns(tenant)}
      empty={
        <EmptyState
          title="No experiments yet"
          docs="experiments"
          action={
            <Button component={Link} variant="default" to={`/t/${tenant}/datasets`}>
              Open datasets
            </Button>
          }
        >
          Create a dataset and a scorer, then start an experiment with the revisions to compare.
        </EmptyState>
      }
    />
  );
};
