import { consumer } from "../../lib/edge/consumer.ts";
import { runHooksFor } from "../../lib/evaluation/experiment/run-hooks.ts";
import { continueExecutions } from "../../lib/executions/recover/continue-executions.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

export const handler = consumer(rows.runExecution, executionDeps, (message, deps, { deadline }) =>
  continueExecutions(deps, {
    message,
    deadline,
    hooksFor: (item) => runHooksFor(deps, { item, deadline }),
  }),
);
