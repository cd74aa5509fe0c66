import { Paper, Text } from "@mantine/core";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatShortDay } from "../shared/format.ts";
import { niceTicks } from "./nice-ticks.ts";
import type { Day, Series } from "./series.ts";
import { seriesColor } from "./series-colors.ts";
import classes from "./usage-chart.module.css";

type UsageChartProps = {
  series: readonly Series[];
  days: readonly Day[];
  nameFor: (key: string) => string;
  format: (amount: number, priced: boolean) => string;
};

const tickStyle = { fill: "var(--mantine-color-dimmed)", fontSize: 12 };
const largestBar = 40;

/** A bar per day, stacked by series. Import it lazily. The tables have the same figures for screen readers. */
export const UsageChart = ({ series, days, nameFor, format }: UsageChartProps) => (
  <div className={classes.chart} aria-hidden="true">
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={[...days]} accessibilityLayer={false} margin={{ top: 8, right: 8 }}>
        <CartesianGrid vertical={false} stroke="var(--mantine-color-default-border)" />
        <XAxis
          dataKey="date"
          tickFormatter={formatShortDay}
          tick={tickStyle}
          minTickGap={24}
          interval="equidistantPreserveStart"
        />
        <YAxis
          tickFormatter={(amount: number) => format(amount, true)}
          tick={tickStyle}
          width={64}
          axisLine={false}
          {...buildAxis(days)}
        />
        <Tooltip
          cursor={{ fill: "var(--mantine-color-default-hover)" }}
          isAnimationActive={false}
          content={({ active, label }) => {
            const day = days.find(({ date }) => date === label);
            return active && day ? <DayCard {...{ day, series, nameFor, format }} /> : null;
          }}
        />
        {series.map(({ name }, place) => (
          <Bar
            key={name}
            dataKey={({ values }: Day) => values[place]?.amount ?? 0}
            name={name}
            stackId="day"
            fill={seriesColor(place)}
            maxBarSize={largestBar}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  </div>
);

const buildAxis = (days: readonly Day[]) => {
  const ticks = niceTicks(Math.max(...days.map(({ total }) => total.amount)));
  return { ticks, domain: [0, ticks.at(-1) ?? 1] };
};

type DayCardProps = Omit<UsageChartProps, "days"> & { day: Day };

const DayCard = ({ day, series, nameFor, format }: DayCardProps) => (
  <Paper withBorder shadow="md" p="xs">
    <Text size="sm" fw={600}>
      {formatShortDay(day.date)}: {format(day.total.amount, day.total.priced)}
    </Text>
    {series.map(({ name }, place) => {
      const { amount, priced } = day.values[place] ?? { amount: 0, priced: true };
      return (
        (amount > 0 || !priced) && (
          <Text key={name} size="sm">
            <span className={classes.swatch} style={{ background: seriesColor(place) }} />
            {nameFor(name)}: {format(amount, priced)}
          </Text>
        )
      );
    })}
  </Paper>
);
