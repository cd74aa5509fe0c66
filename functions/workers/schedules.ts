import type { Scheduled } from "../../lib/queue/scheduled.ts";

/** Finds executions whose worker vanished. */
export const recoverExecutions = {
  operation: "recover-executions",
  everyMinutes: 1,
  access: { table: "write", publishes: ["executions"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Every job that a clock starts; infra and the local stack loop over these. */
export const schedules: readonly Scheduled[] = [recoverExecutions];
