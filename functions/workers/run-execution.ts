import { continueExecution } from "../../lib/agents/execution/continue-execution.ts";
import { executionDeps } from "../../lib/agents/execution/deps.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { runExecution } from "./messages.ts";

export const handler = consumer(runExecution, executionDeps, (message, deps, { deadline }) =>
  continueExecution(deps, message, deadline),
);
