import type { ExecutionStatus } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** Kinds of the statuses of executions. */
export const statusKinds: Readonly<Record<ExecutionStatus, StatusKind>> = {
  Queued: "busy",
  Waiting: "idle",
  Running: "busy",
  Succeeded: "good",
  Failed: "bad",
  Cancelled: "idle",
  TimedOut: "bad",
};

/** Names of the types of triggers, by number. */
export const triggerNames: readonly string[] = [
  "API",
  "Schedule",
  "Webhook",
  "Connector",
  "Sub-agent",
  "Test",
];
