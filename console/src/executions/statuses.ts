import type { ExecutionStatus } from "../../../client/openapi.ts";

/** Statuses of executions, to filter by. */
export const statuses: readonly ExecutionStatus[] = [
  "Queued",
  "Waiting",
  "Running",
  "Succeeded",
  "Failed",
  "Cancelled",
  "TimedOut",
];
