import { NativeSelect, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import {
  CartesianGrid,
  ErrorBar,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatCost, formatKnownCost, formatScore } from "../../shared/format.ts";
import { seriesColor } from "../../usage/series-colors.ts";
import usageClasses from "../../usage/usage-chart.module.css";
import type { ExperimentDetail } from "../use-experiments.ts";
import classes from "./quality-chart.module.css";
import { toInterval } from "./score-format.ts";

const tickStyle = { fill: "var(--mantine-color-dimmed)", fontSize: 12 };

type Point = {
  label: string;
  cost: number;
  priced: boolean;
  mean: number;
  interval: [number, number];
};

const toPoints = ({ summary }: ExperimentDetail, scorer: string): Point[] =>
  summary.flatMap((row) => {
    if (row.scorer !== scorer || row.mean === null) return [];
    const [low, high] = toInterval(row) ?? [row.mean, row.mean];
    return {
      label: `Revision ${row.revision}`,
      cost: row.totalCost,
      priced: row.priced,
      mean: row.mean,
      interval: [row.mean - low, high - row.mean],
    };
  });

/** A point per revision: its mean score by its cost. Import it lazily. The table has the same figures. */
export const QualityChart = ({ experiment }: { experiment: ExperimentDetail }) => {
  const { scorers } = experiment;
  const [chosen, setChosen] = useState<string>();
  const scorer = chosen ?? scorers[0] ?? "";
  const points = toPoints(experiment, scorer);
  return (
    <Stack>
      {scorers.length > 1 && (
        <NativeSelect
          label="Scorer of the chart"
          maw={320}
          data={scorers}
          value={scorer}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      )}
      <div className={classes.chart} aria-hidden="true">
        <ResponsiveContainer width="100%" height="100%">
          <ScatterChart accessibilityLayer={false} margin={{ top: 8, right: 24, bottom: 4 }}>
            <CartesianGrid stroke="var(--mantine-color-default-border)" />
            <XAxis
              type="number"
              dataKey="cost"
              domain={[0, "auto"]}
              tickFormatter={formatCost}
              tick={tickStyle}
            />
            <YAxis
              type="number"
              dataKey="mean"
              domain={[0, "auto"]}
              tickFormatter={formatScore}
              tick={tickStyle}
              width={48}
            />
            <Tooltip
              isAnimationActive={false}
              content={({ active, payload }) => {
                const point = points.find(({ label }) => label === payload?.[0]?.payload?.label);
                return active && point ? <PointCard point={point} /> : null;
              }}
            />
            {points.map((point, place) => (
              <Scatter
                key={point.label}
                data={[point]}
                fill={seriesColor(place)}
                isAnimationActive={false}
              >
                <ErrorBar dataKey="interval" direction="y" stroke={seriesColor(place)} width={6} />
              </Scatter>
            ))}
          </ScatterChart>
        </ResponsiveContainer>
      </div>
      <ul className={usageClasses.legend} aria-label="Revisions of the chart">
        {points.map(({ label }, place) => (
          <li key={label}>
            <span className={usageClasses.swatch} style={{ background: seriesColor(place) }} />
            <Text span size="sm">
              {label}
            </Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
};

const PointCard = ({ point }: { point: Point }) => (
  <Paper withBorder shadow="md" p="xs">
    <Text size="sm" fw={600}>
      {point.label}
    </Text>
    <Text size="sm">
      {formatScore(point.mean)} for {formatKnownCost(point.cost, point.priced)}
    </Text>
  </Paper>
);
