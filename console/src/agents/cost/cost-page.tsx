import { Skeleton, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { triggerNames } from "../../executions/status.ts";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { daysOf } from "../../usage/range.ts";
import { UsageFilters } from "../../usage/usage-filters.tsx";
import { UsageReport } from "../../usage/usage-report.tsx";
import { type Grouping, useUsage } from "../../usage/use-usage.ts";
import { BudgetCard } from "./budget-card.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/cost");

const groupingsOfAgent: readonly Grouping[] = ["model", "revision", "trigger"];
const keyLabels: Readonly<Record<Grouping, string>> = {
  model: "Model",
  agent: "Agent",
  revision: "Revision",
  trigger: "Trigger",
};

/** Shows the budget of an agent, and its cost by day. */
export const CostPage = () => {
  const { agent } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { groupBy = "model", measure = "cost", range = "30d" } = search;
  const days = daysOf(range, Date.now(), search);
  const { data, error } = useUsage({ ...days, groupBy, agent });
  const nameOf = (key: string): string =>
    groupBy === "trigger" ? (triggerNames[Number(key)] ?? key) : key;
  return (
    <Stack>
      <BudgetCard agent={agent} />
      <UsageFilters
        search={search}
        days={days}
        defaultGrouping="model"
        from={groupingsOfAgent}
        error={error}
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
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
    </Stack>
  );
};
