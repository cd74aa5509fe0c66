import type { Scheduled } from "../../lib/queue/scheduled.ts";

/** Finds executions whose worker vanished. */
export const recoverExecutions = {
  operation: "recover-executions",
  everyMinutes: 1,
  access: { table: "write", publishes: ["executions"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Renews the listeners at providers that are about to expire. */
export const renewRegistrations = {
  operation: "renew-registrations",
  everyMinutes: 60,
  access: { table: "write", secrets: "open" },
  timeoutSeconds: 300,
} as const satisfies Scheduled;

/** Every job that a clock starts; infra and the local stack loop over these. */
export const schedules: readonly Scheduled[] = [recoverExecutions, renewRegistrations];
