import { getRouteApi } from "@tanstack/react-router";
import { ExecutionTable } from "../executions/execution-table.tsx";
import type { ExecutionSearch } from "../executions/search.ts";

const route = getRouteApi("/t/$tenant/agents/$agent/executions");

/** Lists the executions of an agent. */
export const AgentExecutionsPage = () => {
  const { agent } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: ExecutionSearch): void =>
    void navigate({ search: (current) => ({ ...current, ...changed }) });
  return <ExecutionTable agent={agent} search={search} onChange={change} />;
};
