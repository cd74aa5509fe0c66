import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { formatCount, formatDuration, formatKnownCost, formatScore } from "../../shared/format.ts";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { toListState } from "../../shared/to-list-state.ts";
import type { ExperimentDetail, ExperimentSummaryRow } from "../use-experiments.ts";
import {
  type Change,
  compareMeans,
  formatChange,
  formatShare,
  toInterval,
} from "./score-format.ts";

/** A row of the table: a scorer, or a measure of the runs. */
type Row = { label: string; renderCell: (revision: number) => ReactNode };

/** Lists the scorers, cost and durations with a column for each revision; the first is what others are compared with. */
export const SummaryTable = ({ experiment }: { experiment: ExperimentDetail }) => {
  const { summary, revisions, scorers } = experiment;
  const [baseline] = revisions;
  const findRow = (revision: number | undefined, scorer: string) =>
    summary.find((row) => row.revision === revision && row.scorer === scorer);
  const renderMeasure =
    (show: (row: ExperimentSummaryRow) => ReactNode) =>
    (revision: number): ReactNode => {
      const row = summary.find((candidate) => candidate.revision === revision);
      return row ? show(row) : null;
    };
  const duration = (milliseconds: number | null): string =>
    milliseconds === null ? "none" : formatDuration(milliseconds);
  const rows: Row[] = [
    ...scorers.map((scorer) => ({
      label: scorer,
      renderCell: (revision: number) => (
        <ScoreCell
          row={findRow(revision, scorer)}
          baseline={revision === baseline ? undefined : findRow(baseline, scorer)}
        />
      ),
    })),
    {
      label: "Total cost",
      renderCell: renderMeasure(({ totalCost, priced }) => formatKnownCost(totalCost, priced)),
    },
    { label: "Median duration", renderCell: renderMeasure(({ p50Ms }) => duration(p50Ms)) },
    { label: "Duration, p95", renderCell: renderMeasure(({ p95Ms }) => duration(p95Ms)) },
  ];
  const columns: Column<Row>[] = [
    { header: "Measure", cell: ({ label }) => label },
    ...revisions.map((revision) => ({
      header: `Revision ${revision}`,
      cell: ({ renderCell }: Row) => renderCell(revision),
    })),
  ];
  return (
    <ResourceTable
      label="Summary"
      list={toListState({ data: rows })}
      getId={({ label }) => label}
      columns={columns}
      empty={null}
    />
  );
};

type ScoreCellProps = {
  row: ExperimentSummaryRow | undefined;
  baseline: ExperimentSummaryRow | undefined;
};

const describeChange = ({ difference, isClear }: Change): string => {
  if (difference === 0) return "no difference";
  return isClear ? formatChange(difference) : `${formatChange(difference)}, may be by chance`;
};

/** A mean with its interval, its change against the first revision, and what passed. */
const ScoreCell = ({ row, baseline }: ScoreCellProps) => {
  if (!row || row.mean === null) {
    const count = row?.failures ?? 0;
    return <Text size="sm">no score{count > 0 && `, ${formatCount(count)} failed`}</Text>;
  }
  const { mean, passRate, failures } = row;
  const interval = toInterval(row);
  const change = baseline && compareMeans(baseline, row);
  return (
    <>
      <Text span fw={600}>
        {formatScore(mean)}
      </Text>
      {interval && (
        <Text span size="sm" c="dimmed">
          {" "}
          ({formatScore(interval[0])} to {formatScore(interval[1])})
        </Text>
      )}
      {change && (
        <Text size="sm" fw={change.isClear ? 600 : 400}>
          {describeChange(change)}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {passRate !== null && `${formatShare(passRate)} passed`}
        {failures > 0 && `, ${formatCount(failures)} failed`}
      </Text>
    </>
  );
};
