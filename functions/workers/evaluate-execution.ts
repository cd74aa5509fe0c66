import { consumer } from "../../lib/edge/consumer.ts";
import { evaluateExecution } from "../../lib/evaluation/online/evaluate-execution.ts";
import { vectorStore } from "../../lib/knowledge/index/vector-store.ts";
import { reindexMemories } from "../../lib/memory/reindex-memories.ts";
import { rememberExecution } from "../../lib/memory/remember-execution.ts";
import { countEmbeddings } from "../../lib/spending/usage/count-other-usage.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

const deps = () => ({ ...executionDeps(), vectors: vectorStore(), countEmbeddings });

export const handler = consumer(rows.evaluateExecution, deps, (message, deps, receipt) => {
  const { deadline } = receipt;
  switch (message.type) {
    case "remember-execution":
      return rememberExecution(deps, { message, ...receipt });
    case "reindex-memories":
      return reindexMemories(deps, { message, deadline });
    case "evaluate-execution":
      return evaluateExecution(deps, { message, deadline });
  }
});
