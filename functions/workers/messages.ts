import type { Consumer } from "../../lib/queue/consumer.ts";
import { PurgeAgentMessage, RunExecutionMessage } from "../../lib/queue/messages.ts";

export const purgeAgent = {
  operation: "purge-agent",
  queue: "housekeeping",
  message: PurgeAgentMessage,
  access: { table: "write", bucket: "write", publishes: ["housekeeping"] },
  timeoutSeconds: 120,
  batchSize: 1,
} as const satisfies Consumer;

/** One execution to a function, so that no tenant's heavy flow slows another's. */
export const runExecution = {
  operation: "run-execution",
  queue: "executions",
  message: RunExecutionMessage,
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["executions"],
    models: true,
  },
  timeoutSeconds: 900,
  batchSize: 1,
} as const satisfies Consumer;

/** Every queue consumer; infra and the local stack loop over these. */
export const consumers: readonly Consumer[] = [purgeAgent, runExecution];
