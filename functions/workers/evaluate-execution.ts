import { consumer } from "../../lib/edge/consumer.ts";
import { evaluateExecution } from "../../lib/evaluation/online/evaluate-execution.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

export const handler = consumer(
  rows.evaluateExecution,
  executionDeps,
  (message, deps, { deadline }) => evaluateExecution(deps, { message, deadline }),
);
