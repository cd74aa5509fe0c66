import { Paper, Skeleton, Stack, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { ExperimentDetail } from "../use-experiments.ts";
import { SummaryTable } from "./summary-table.tsx";

const QualityChart = lazy(async () => ({
  default: (await import("./quality-chart.tsx")).QualityChart,
}));

/** Shows the revisions of an experiment side by side, and their quality against their cost. */
export const SummarySection = ({ experiment }: { experiment: ExperimentDetail }) => {
  const { summary, revisions } = experiment;
  if (summary.length === 0) return null;
  const hasCost = summary.some(({ totalCost }) => totalCost > 0);
  return (
    <Stack>
      <section>
        <Title order={2} size="h4">
          Summary
        </Title>
        <SummaryTable experiment={experiment} />
      </section>
      {revisions.length > 1 && hasCost && (
        <Paper withBorder p="md">
          <Title order={2} size="h4" mb="sm">
            Quality by cost
          </Title>
          <Suspense fallback={<Skeleton height={240} role="status" aria-label="Loading" />}>
            <QualityChart experiment={experiment} />
          </Suspense>
        </Paper>
      )}
    </Stack>
  );
};
