import { Paper, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import type { UsageItem } from "../../../client/openapi.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount, formatKnownCost, formatShortCount } from "../shared/format.ts";
import { type Measure, measures } from "./measures.ts";
import { type Days, listDays } from "./range.ts";
import { stackByDay, totalsByKey } from "./series.ts";
import { seriesColor } from "./series-colors.ts";
import classes from "./usage-chart.module.css";
import { DayTable, TotalTable } from "./usage-tables.tsx";

const UsageChart = lazy(async () => ({
  default: (await import("./usage-chart.tsx")).UsageChart,
}));

type UsageReportProps = {
  items: readonly UsageItem[];
  days: Days;
  measure: Measure;
  /** Kind of the keys, such as `Model`. */
  keyLabel: string;
  nameFor: (key: string) => string;
  /** Shown between the chart and the tables. */
  quality?: ReactNode;
};

/** Shows usage: its sums, a chart by day, and both as tables. */
export const UsageReport = (props: UsageReportProps) => {
  const { items, days, measure, keyLabel, nameFor, quality } = props;
  if (items.length === 0) {
    return (
      <EmptyState title="No usage in this range">
        Run an agent, or choose another range. Executions are counted when they end.
      </EmptyState>
    );
  }
  const { label, format } = measures[measure];
  const stacks = stackByDay(items, listDays(days), measures[measure]);
  return (
    <Stack>
      <Sums items={items} />
      <Paper withBorder p="md">
        <Title order={2} size="h4" mb="sm">
          {label} by day
        </Title>
        <Suspense fallback={<Skeleton height={300} role="status" aria-label="Loading" />}>
          <UsageChart {...stacks} nameFor={nameFor} format={format} />
        </Suspense>
        <ul className={classes.legend} aria-label={keyLabel}>
          {stacks.series.map(({ name }, place) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: seriesColor(place) }} />
              <Text span size="sm">
                {nameFor(name)}
              </Text>
            </li>
          ))}
        </ul>
      </Paper>
      {quality}
      <TotalTable totals={totalsByKey(items)} keyLabel={keyLabel} nameFor={nameFor} />
      <DayTable {...stacks} label={label} nameFor={nameFor} format={format} />
    </Stack>
  );
};

const sumAmounts = (items: readonly UsageItem[], getAmount: (item: UsageItem) => number): number =>
  items.reduce((sum, item) => sum + getAmount(item), 0);

const Sums = ({ items }: { items: readonly UsageItem[] }) => {
  const executions = sumAmounts(items, measures.executions.getAmount);
  const tokens = sumAmounts(items, measures.tokens.getAmount);
  const failures = sumAmounts(items, measures.failures.getAmount);
  const share = executions === 0 ? 0 : Math.round((failures / executions) * 1000) / 10;
  const cost = sumAmounts(items, measures.cost.getAmount);
  const priced = items.every(measures.cost.isPriced);
  const sums = [
    { label: "Cost", text: formatKnownCost(cost, priced) },
    { label: "Executions", text: formatCount(executions) },
    { label: "Failures", text: `${formatCount(failures)} (${share}%)` },
    { label: "Tokens", text: formatShortCount(tokens), exact: formatCount(tokens) },
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      {sums.map(({ label, text, exact }) => (
        <Paper key={label} withBorder px="sm" py="xs" title={exact}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text size="xl" fw={600}>
            {text}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
};
