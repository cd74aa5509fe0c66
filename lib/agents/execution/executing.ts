import { ExecutionResult } from "./schemas.ts";

/** What every row that runs an agent answers, may fail with and may touch. */
export const executing = {
  response: { status: 200, schema: ExecutionResult, accepted: true },
  problems: [
    "conflict",
    "budget-exceeded",
    "execution-failed",
    "upstream-failed",
    "upstream-timeout",
  ],
  access: {
    table: "write",
    bucket: "write",
    secrets: "seal",
    publishes: ["events", "executions"],
    models: true,
  },
  streaming: { completed: "execution.completed", failed: "execution.failed" },
} as const;
