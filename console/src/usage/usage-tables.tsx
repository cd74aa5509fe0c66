import { Title } from "@mantine/core";
import { formatCount, formatKnownCost } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { UtcDay } from "../shared/utc-day.tsx";
import type { Day, KeyTotal, Series } from "./series.ts";

type TotalTableProps = {
  totals: readonly KeyTotal[];
  keyLabel: string;
  nameFor: (key: string) => string;
};

const columnIn =
  (format: (amount: number, priced: boolean) => string) =>
  (
    header: string,
    getAmount: (total: KeyTotal) => number,
    isSecondary = true,
  ): Column<KeyTotal> => ({
    header,
    isNumber: true,
    isSecondary,
    cell: (total) => format(getAmount(total), total.unpricedCount === 0),
  });

const count = columnIn(formatCount);
const cost = columnIn(formatKnownCost);

/** Lists the usage of each key in all days. */
export const TotalTable = ({ totals, keyLabel, nameFor }: TotalTableProps) => (
  <section>
    <Title order={2} size="h4">
      By {keyLabel.toLowerCase()}
    </Title>
    <ResourceTable
      label="Totals"
      list={read(totals)}
      getId={({ key }) => key}
      columns={[
        { header: keyLabel, cell: ({ key }) => nameFor(key) },
        count("Executions", ({ executionCount }) => executionCount, false),
        count("Failures", ({ failedCount }) => failedCount),
        count("Input tokens", ({ inputTokens }) => inputTokens),
        count("Output tokens", ({ outputTokens }) => outputTokens),
        count("Cached tokens", ({ cachedTokens }) => cachedTokens),
        count("Thinking tokens", ({ thinkingTokens }) => thinkingTokens),
        cost("Input cost", ({ inputCost }) => inputCost),
        cost("Output cost", ({ outputCost }) => outputCost),
        cost("Total cost", ({ totalCost }) => totalCost, false),
      ]}
      empty={null}
    />
  </section>
);

type DayTableProps = {
  /** Name of the measure. */
  label: string;
  series: readonly Series[];
  days: readonly Day[];
  nameFor: (key: string) => string;
  format: (amount: number, priced: boolean) => string;
};

/** Lists what the chart shows, the last day first, without days that have no usage. */
export const DayTable = ({ label, series, days, nameFor, format }: DayTableProps) => (
  <section>
    <Title order={2} size="h4">
      By day: {label.toLowerCase()}
    </Title>
    <ResourceTable
      label="Days"
      list={read(days.filter(({ total }) => total.amount > 0 || !total.priced).toReversed())}
      getId={({ date }) => date}
      columns={[
        { header: "Day (UTC)", cell: ({ date }) => <UtcDay date={date} /> },
        ...series.map(
          ({ name }, place): Column<Day> => ({
            header: nameFor(name),
            isNumber: true,
            isSecondary: true,
            cell: ({ values }) => {
              const { amount, priced } = values[place] ?? { amount: 0, priced: true };
              return format(amount, priced);
            },
          }),
        ),
        { header: "All", isNumber: true, cell: ({ total }) => format(total.amount, total.priced) },
      ]}
      empty={`No data for “${label}” in this range.`}
    />
  </section>
);

const read = <Item,>(data: readonly Item[]) => toListState({ data });
