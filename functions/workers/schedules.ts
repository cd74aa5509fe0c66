import type { Scheduled } from "../../lib/edge/scheduled.ts";

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

/** Has messages answered whose users were let in by a call that died. */
export const sendApprovedChats = {
  operation: "send-approved-chats",
  everyMinutes: 1,
  access: { table: "write", publishes: ["chats"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Finds events that nobody was told of. */
export const sweepOutbox = {
  operation: "sweep-outbox",
  everyMinutes: 1,
  access: { table: "write", publishes: ["events"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Tells of the API keys that are about to expire. */
export const announceExpiringKeys = {
  operation: "announce-expiring-keys",
  everyMinutes: 60,
  access: { table: "write", publishes: ["events"] },
  timeoutSeconds: 300,
} as const satisfies Scheduled;

/** Every job that a clock starts; infra and the local stack loop over these. */
export const schedules: readonly Scheduled[] = [
  recoverExecutions,
  renewRegistrations,
  sendApprovedChats,
  sweepOutbox,
  announceExpiringKeys,
];
