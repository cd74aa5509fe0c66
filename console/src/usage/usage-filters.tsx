import { NativeSelect, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Filters } from "../shared/filters.tsx";
import { fieldError } from "../shared/problem.ts";
import { measureNames, measures } from "./measures.ts";
import { type Days, rangeNames, ranges } from "./range.ts";
import type { UsageSearch } from "./search.ts";
import { type Grouping, groupings } from "./use-usage.ts";

/** Names of the groupings. */
export const groupingNames: Readonly<Record<Grouping, string>> = {
  model: "Model",
  agent: "Agent",
  revision: "Revision",
  trigger: "Trigger",
};

type UsageFiltersProps = {
  search: UsageSearch;
  days: Days;
  /** Groupings to choose from. */
  from?: readonly Grouping[] | undefined;
  onChange: (search: UsageSearch) => void;
  error: unknown;
  /** More filters. */
  children?: ReactNode;
};

/** Chooses days, grouping and measure. */
export const UsageFilters = (props: UsageFiltersProps) => {
  const { search, days, from = groupings, onChange, error, children } = props;
  const { range = "30d" } = search;
  return (
    <Filters>
      <NativeSelect
        label="Range"
        value={range}
        data={ranges.map((value) => ({ value, label: rangeNames[value] }))}
        onChange={({ currentTarget }) => {
          const value = ranges.find((range) => range === currentTarget.value) ?? "30d";
          const { from: _, to: __, ...others } = search;
          onChange({ ...others, range: value, ...(value === "custom" && days) });
        }}
      />
      {range === "custom" && (
        <>
          <TextInput
            type="date"
            label="First day"
            value={days.from}
            error={fieldError(error, "query/from")}
            onChange={({ currentTarget: { value } }) => {
              if (value) onChange({ ...search, from: value });
            }}
          />
          <TextInput
            type="date"
            label="Last day"
            value={days.to}
            error={fieldError(error, "query/to")}
            onChange={({ currentTarget: { value } }) => {
              if (value) onChange({ ...search, to: value });
            }}
          />
        </>
      )}
      <NativeSelect
        label="Group by"
        value={search.groupBy ?? "model"}
        data={from.map((value) => ({ value, label: groupingNames[value] }))}
        onChange={({ currentTarget }) => {
          const groupBy = from.find((candidate) => candidate === currentTarget.value);
          if (groupBy) onChange({ ...search, groupBy });
        }}
      />
      <NativeSelect
        label="Measure"
        value={search.measure ?? "cost"}
        data={measureNames.map((value) => ({ value, label: measures[value].label }))}
        onChange={({ currentTarget }) => {
          const measure = measureNames.find((measureName) => measureName === currentTarget.value);
          if (measure) onChange({ ...search, measure });
        }}
      />
      {children}
    </Filters>
  );
};
