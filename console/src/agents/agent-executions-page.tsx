import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { ExecutionStatus } from "../../../client/openapi.ts";
import { ExecutionTable } from "../executions/execution-table.tsx";

/** Lists the executions of an agent. */
export const AgentExecutionsPage = () => {
  const { agent } = useParams({ from: "/t/$tenant/agents/$agent" });
  const [status, setStatus] = useState<ExecutionStatus>();
  return <ExecutionTable agent={agent} status={status} onStatus={setStatus} />;
};
