import { getRouteApi } from "@tanstack/react-router";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { Page } from "../shared/page.tsx";
import { ExecutionTable } from "./execution-table.tsx";
import type { ExecutionSearch } from "./search.ts";

const route = getRouteApi("/t/$tenant/executions");

/** Lists the executions of all agents, or of the one that is chosen. */
export const ExecutionsPage = () => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: ExecutionSearch): void =>
    void navigate({ search: (current) => ({ ...current, ...changed }) });
  return (
    <Page title="Executions" description="Runs of all agents. Updates live.">
      <ExecutionTable
        agent={search.agent}
        search={search}
        onChange={change}
        filters={
          <AgentSelect
            label="Agent"
            none="All agents"
            maw={360}
            agent={search.agent}
            onChange={(agent) => change({ agent })}
          />
        }
      />
    </Page>
  );
};
