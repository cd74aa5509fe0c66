import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { triggerNames } from "../executions/status.ts";
import { ReadProblem } from "../shared/read-problem.tsx";
import { selectDays } from "./range.ts";
import type { UsageSearch } from "./search.ts";
import { groupingNames, UsageFilters } from "./usage-filters.tsx";
import { UsageReport } from "./usage-report.tsx";
import { type Grouping, useUsage } from "./use-usage.ts";

type UsageViewProps = {
  search: UsageSearch;
  /** Limits the usage to one agent; by default that of all is shown. */
  agent: string | undefined;
  /** Groupings that are offered; by default all. */
  groupings?: readonly Grouping[];
  nameOfAgent?: (agent: string) => string;
  onChange: (next: UsageSearch) => void;
  /** Shown between the chart and the tables. */
  quality?: ReactNode;
  /** Filters of the page's own. */
  children?: ReactNode;
};

/** Names of the keys of costs outside of an agent's executions: by trigger, and by agent. */
const otherNames: Readonly<Record<string, string>> = {
  "(evaluation)": "Evaluation",
  "(experiments)": "Experiments",
  "(knowledge)": "Knowledge",
};

/** Shows executions, tokens and cost by day, with their filters. */
export const UsageView = (props: UsageViewProps) => {
  const { search, agent, groupings, nameOfAgent, onChange, quality, children } = props;
  const { groupBy = "model", measure = "cost", range = "30d" } = search;
  const days = selectDays(range, Date.now(), search);
  const { data, error } = useUsage({ ...days, groupBy, agent });
  const nameFor = (key: string): string => {
    const name = otherNames[key];
    if (name !== undefined) return name;
    if (groupBy === "trigger") return triggerNames[Number(key)] ?? key;
    return (groupBy === "agent" && nameOfAgent?.(key)) || key;
  };
  return (
    <>
      <UsageFilters search={search} days={days} from={groupings} error={error} onChange={onChange}>
        {children}
      </UsageFilters>
      <ReadProblem error={error} shownAt={range === "custom" ? ["query/from", "query/to"] : []} />
      {!data && !error && <Skeleton height={360} role="status" aria-label="Loading" />}
      {data && !error && (
        <UsageReport
          items={data.items}
          days={days}
          measure={measure}
          keyLabel={groupingNames[groupBy]}
          nameFor={nameFor}
          quality={quality}
        />
      )}
    </>
  );
};
