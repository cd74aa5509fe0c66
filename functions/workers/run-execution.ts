import { continueExecutions } from "../../lib/agents/execution/continue-executions.ts";
import { executionDeps } from "../../lib/agents/execution/deps.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { runExecution } from "./messages.ts";

export const handler = consumer(runExecution, executionDeps, (message, deps, { deadline }) =>
  continueExecutions(deps, message, deadline),
);
