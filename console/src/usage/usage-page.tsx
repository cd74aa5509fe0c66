import { NativeSelect, Skeleton } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useAgents } from "../agents/use-agents.ts";
import { triggerNames } from "../executions/status.ts";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { daysOf } from "./range.ts";
import type { UsageSearch } from "./search.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { UsageReport } from "./usage-report.tsx";
import { type Grouping, useUsage } from "./use-usage.ts";

const route = getRouteApi("/t/$tenant/usage");

const keyLabels: Readonly<Record<Grouping, string>> = {
  model: "Model",
  agent: "Agent",
  revision: "Revision",
  trigger: "Trigger",
};

/** Shows executions, tokens and cost by day. */
export const UsagePage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { groupBy = "model", measure = "cost", range = "30d", agent } = search;
  const days = daysOf(range, Date.now(), search);
  const { data, error } = useUsage({ ...days, groupBy, agent });
  const agents = useAgents().items;
  const names = new Map(agents.map(({ id, displayName }) => [id, displayName]));
  const nameOf = (key: string): string => {
    if (groupBy === "trigger") return triggerNames[Number(key)] ?? key;
    return groupBy === "agent" ? (names.get(key) ?? key) : key;
  };
  const change = (next: UsageSearch): void => void navigate({ search: next, replace: true });
  return (
    <Page title="Usage" description="Executions, tokens and cost by UTC day, tests included.">
      <UsageFilters
        search={search}
        days={days}
        defaultGrouping="model"
        error={error}
        onChange={change}
      >
        <NativeSelect
          label="Only agent"
          value={agent ?? ""}
          data={[
            { value: "", label: "All agents" },
            ...agents.map(({ id, displayName }) => ({ value: id, label: displayName })),
            ...(agent === undefined || names.has(agent) ? [] : [agent]),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const { agent: _, ...others } = search;
            change({ ...others, ...(value && { agent: value }) });
          }}
        />
      </UsageFilters>
      <ProblemAlert error={error} shownAt={range === "custom" ? ["query/from", "query/to"] : []} />
      {!data && !error && <Skeleton height={360} role="status" aria-label="Loading" />}
      {data && !error && (
        <UsageReport
          items={data.items}
          days={days}
          measure={measure}
          keyLabel={keyLabels[groupBy]}
          nameOf={nameOf}
        />
      )}
    </Page>
  );
};
