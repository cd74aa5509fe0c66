import { Paper, Text } from "@mantine/core";
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatScore, formatShortDay } from "../../shared/format.ts";
import { seriesColor } from "../../usage/series-colors.ts";
import classes from "../../usage/usage-chart.module.css";
import type { Quality, QualityDay } from "./quality-series.ts";

const tickStyle = { fill: "var(--mantine-color-dimmed)", fontSize: 12 };

/** A line per score: its mean by day. Import it lazily. The table has the same figures for screen readers. */
export const QualityChart = ({ names, days }: Quality) => (
  <div className={classes.chart} aria-hidden="true">
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={[...days]} accessibilityLayer={false} margin={{ top: 8, right: 8 }}>
        <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
        <XAxis dataKey="date" tickFormatter={formatShortDay} tick={tickStyle} minTickGap={24} />
        <YAxis tickFormatter={formatScore} tick={tickStyle} width={48} axisLine={false} />
        <Tooltip
          isAnimationActive={false}
          content={({ active, label }) => {
            const day = days.find(({ date }) => date === label);
            return active && day ? <DayCard names={names} day={day} /> : null;
          }}
        />
        {names.map((name, place) => (
          <Line
            key={name}
            dataKey={({ means }: QualityDay) => means[name] ?? null}
            name={name}
            stroke={seriesColor(place)}
            strokeWidth={2}
            dot={{ r: 3 }}
            connectNulls
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  </div>
);

const DayCard = ({ names, day }: { names: readonly string[]; day: QualityDay }) => (
  <Paper withBorder shadow="md" p="xs">
    <Text size="sm" fw={600}>
      {formatShortDay(day.date)}
    </Text>
    {names.map((name, place) => {
      const mean = day.means[name];
      return (
        mean !== undefined && (
          <Text key={name} size="sm">
            <span className={classes.swatch} style={{ background: seriesColor(place) }} />
            {name}: {formatScore(mean)}
          </Text>
        )
      );
    })}
  </Paper>
);
