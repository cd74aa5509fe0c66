import { Select } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useAgents } from "../agents/use-agents.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ExecutionTable } from "./execution-table.tsx";

const route = getRouteApi("/t/$tenant/executions");

/** Lists the executions of an agent, which one chooses. */
export const ExecutionsPage = () => {
  const { agent: chosen, status } = route.useSearch();
  const navigate = route.useNavigate();
  const agents = useAgents();
  const agent = chosen ?? agents.items[0]?.id;
  return (
    <Page title="Executions" description="Runs of an agent; new ones appear by themselves.">
      <ProblemAlert error={agents.error} />
      {agents.items.length > 0 && (
        <Select
          label="Agent"
          maw={360}
          searchable
          allowDeselect={false}
          value={agent ?? null}
          data={agents.items.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          onChange={(value) => {
            if (value) void navigate({ search: (search) => ({ ...search, agent: value }) });
          }}
        />
      )}
      {agent !== undefined && (
        <ExecutionTable
          agent={agent}
          status={status}
          onStatus={(value) =>
            void navigate({
              search: { ...(chosen && { agent: chosen }), ...(value && { status: value }) },
            })
          }
        />
      )}
      {!agents.isLoading && !agents.error && agent === undefined && (
        <EmptyState title="No agents yet">Create an agent first, then run it.</EmptyState>
      )}
    </Page>
  );
};
