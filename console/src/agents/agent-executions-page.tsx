import { getRouteApi } from "@tanstack/react-router";
import { ExecutionTable } from "../executions/execution-table.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/executions");

/** Lists the executions of an agent. */
export const AgentExecutionsPage = () => {
  const { agent } = route.useParams();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ExecutionTable
      agent={agent}
      status={status}
      onStatus={(chosen) => void navigate({ search: { ...(chosen && { status: chosen }) } })}
    />
  );
};
