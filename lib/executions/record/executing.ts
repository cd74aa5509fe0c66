import { ExecutionResult } from "./schemas.ts";

/** Response, problems and access shared by the rows that run an agent. */
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
    publishes: ["evaluations", "events", "executions"],
    models: true,
    vectors: "read",
  },
  // Only what calls other systems, or takes long, takes a slot.
  slots: "handler",
  readsAgent: true,
  streaming: { completed: "execution.completed", failed: "execution.failed" },
} as const;
