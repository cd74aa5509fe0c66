import { getRouteApi } from "@tanstack/react-router";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { useAgents } from "../agent-queries/use-agents.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
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
      <ReadProblem error={agents.error} />
      {agents.isLoading && agent === undefined && <PageLoader />}
      {agent !== undefined && (
        <ExecutionTable
          agent={agent}
          status={status}
          onStatus={(value) =>
            void navigate({
              search: { ...(chosen && { agent: chosen }), ...(value && { status: value }) },
            })
          }
          filters={
            <AgentSelect
              label="Agent"
              maw={360}
              agent={agent}
              onChange={(value) =>
                void navigate({
                  search: { ...(value && { agent: value }), ...(status && { status }) },
                })
              }
            />
          }
        />
      )}
      {!agents.isLoading && !agents.error && agent === undefined && (
        <EmptyState title="No agents yet">Create an agent first, then run it.</EmptyState>
      )}
    </Page>
  );
};
