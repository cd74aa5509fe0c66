import { continueExecution } from "../../lib/execution/continue-execution.ts";
import { executionDeps } from "../../lib/execution/deps.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { runExecution } from "./messages.ts";

export const handler = consumer(runExecution, executionDeps, (message, deps, { deadline }) =>
  continueExecution(deps, message, deadline),
);
