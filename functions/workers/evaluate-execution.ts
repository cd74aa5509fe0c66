import { consumer } from "../../lib/edge/consumer.ts";
import { evaluateExecution } from "../../lib/evaluation/online/evaluate-execution.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { rememberExecution } from "../../lib/memory/remember-execution.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

const deps = () => ({ ...executionDeps(), vectors: vectorStore() });

export const handler = consumer(rows.evaluateExecution, deps, (message, deps, receipt) =>
  message.type === "remember-execution"
    ? rememberExecution(deps, { message, ...receipt })
    : evaluateExecution(deps, { message, deadline: receipt.deadline }),
);
