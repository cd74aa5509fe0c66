import { NativeSelect } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useAgents } from "../agent-queries/use-agents.ts";
import { Page } from "../shared/page.tsx";
import type { UsageSearch } from "./search.ts";
import { UsageView } from "./usage-view.tsx";

const route = getRouteApi("/t/$tenant/usage");

/** Shows the usage of a tenant. */
export const UsagePage = () => {
  const search = route.useSearch();
  const { agent } = search;
  const navigate = route.useNavigate();
  const agents = useAgents().items;
  const names = new Map(agents.map(({ id, displayName }) => [id, displayName]));
  const change = (next: UsageSearch): void => void navigate({ search: next, replace: true });
  return (
    <Page title="Usage" description="Executions, tokens and cost by UTC day, tests included.">
      <UsageView
        search={search}
        agent={agent}
        nameOfAgent={(id) => names.get(id) ?? id}
        onChange={change}
      >
        <NativeSelect
          label="Agent"
          maw={260}
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
      </UsageView>
    </Page>
  );
};
