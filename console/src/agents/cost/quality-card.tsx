import { Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { formatScore } from "../../shared/format.ts";
import { ReadProblem } from "../../shared/read-problem.tsx";
import { type Column, ResourceTable } from "../../shared/resource-table.tsx";
import { toListState } from "../../shared/to-list-state.ts";
import { UtcDay } from "../../shared/utc-day.tsx";
import { type Days, listDays } from "../../usage/range.ts";
import { seriesColor } from "../../usage/series-colors.ts";
import classes from "../../usage/usage-chart.module.css";
import { useUsage } from "../../usage/use-usage.ts";
import { type Quality, type QualityDay, toQuality } from "./quality-series.ts";

const QualityChart = lazy(async () => ({
  default: (await import("./quality-chart.tsx")).QualityChart,
}));

const mostLines = 8;

/** Shows the mean scores of an agent's executions by day. */
export const QualityCard = ({ agent, days }: { agent: string; days: Days }) => {
  const { data, error } = useUsage({ ...days, groupBy: "score", agent });
  const all = data && toQuality(data.items, listDays(days));
  // The filters of the usage show the errors of the days.
  const problem = <ReadProblem error={error} shownAt={["query/from", "query/to"]} />;
  if (!all) {
    return error ? problem : <Skeleton height={120} role="status" aria-label="Loading" />;
  }
  const quality = { ...all, names: all.names.slice(0, mostLines) };
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        Quality by day
      </Title>
      {problem}
      {quality.names.length === 0 ? (
        <Text c="dimmed">
          No executions have scores in this range. Set an online evaluation, or add scores on the
          page of an execution or with the API.
        </Text>
      ) : (
        <QualityReport {...quality} />
      )}
    </Paper>
  );
};

const QualityReport = ({ names, days }: Quality) => (
  <Stack>
    <Suspense fallback={<Skeleton height={300} role="status" aria-label="Loading" />}>
      <QualityChart names={names} days={days} />
    </Suspense>
    <ul className={classes.legend} aria-label="Scores of the chart">
      {names.map((name, place) => (
        <li key={name}>
          <span className={classes.swatch} style={{ background: seriesColor(place) }} />
          <Text span size="sm">
            {name}
          </Text>
        </li>
      ))}
    </ul>
    <ResourceTable
      label="Mean scores"
      list={toListState({ data: days.filter(hasScores).toReversed() })}
      getId={({ date }) => date}
      columns={[
        { header: "Day of scores (UTC)", cell: ({ date }) => <UtcDay date={date} /> },
        ...names.map(
          (name): Column<QualityDay> => ({
            header: name,
            isNumber: true,
            cell: ({ means }) => {
              const mean = means[name];
              return mean !== undefined && formatScore(mean);
            },
          }),
        ),
      ]}
      empty={null}
    />
  </Stack>
);

const hasScores = ({ means }: QualityDay): boolean => Object.keys(means).length > 0;
