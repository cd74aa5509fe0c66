import { SimpleGrid, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { selectDays } from "../../usage/range.ts";
import { UsageView } from "../../usage/usage-view.tsx";
import type { Grouping } from "../../usage/use-usage.ts";
import { OnlineEvaluationCard } from "../online-evaluation/online-evaluation-card.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { QualityCard } from "./quality-card.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/cost");

const groupings: readonly Grouping[] = ["model", "revision", "trigger"];

/** Shows budget and online evaluation of an agent, its cost and its quality by day. */
export const CostPage = () => {
  const { agent } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <BudgetCard agent={agent} />
        <OnlineEvaluationCard agent={agent} />
      </SimpleGrid>
      <UsageView
        search={search}
        agent={agent}
        groupings={groupings}
        quality={
          <QualityCard agent={agent} days={selectDays(search.range ?? "30d", Date.now(), search)} />
        }
        onChange={(next) => void navigate({ search: next, replace: true })}
      />
    </Stack>
  );
};
