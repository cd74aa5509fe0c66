import type { Scheduled } from "../../lib/edge/scheduled.ts";

/** Recovers executions and experiments after their worker died. */
export const recoverExecutions = {
  operation: "recover-executions",
  everyMinutes: 1,
  access: { table: "write", publishes: ["executions", "experiments"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Renews expiring listeners at providers. */
export const renewRegistrations = {
  operation: "renew-registrations",
  everyMinutes: 60,
  access: { table: "write", secrets: "open" },
  timeoutSeconds: 300,
} as const satisfies Scheduled;

/** Sends the messages of approved chat users after an approval failed halfway. */
export const sendApprovedChats = {
  operation: "send-approved-chats",
  everyMinutes: 1,
  access: { table: "write", publishes: ["chats"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Sends outbox events that were never published. */
export const sweepOutbox = {
  operation: "sweep-outbox",
  everyMinutes: 1,
  access: { table: "write", publishes: ["events"] },
  timeoutSeconds: 50,
} as const satisfies Scheduled;

/** Publishes events for API keys that expire soon. */
export const announceExpiringKeys = {
  operation: "announce-expiring-keys",
  everyMinutes: 60,
  access: { table: "write", publishes: ["events"] },
  timeoutSeconds: 300,
} as const satisfies Scheduled;

/** Starts the synchronizations of assets that are due, and those again that were lost. */
export const refreshAssets = {
  operation: "refresh-assets",
  everyMinutes: 5,
  access: { table: "write", publishes: ["syncs"] },
  timeoutSeconds: 240,
} as const satisfies Scheduled;

/** Removes memories that have expired, with their vectors. */
export const expireMemories = {
  operation: "expire-memories",
  everyMinutes: 60,
  access: { table: "write", vectors: "write" },
  timeoutSeconds: 300,
} as const satisfies Scheduled;

/** All scheduled jobs; infra and the local stack iterate over them. */
export const schedules: readonly Scheduled[] = [
  recoverExecutions,
  renewRegistrations,
  sendApprovedChats,
  sweepOutbox,
  announceExpiringKeys,
  refreshAssets,
  expireMemories,
];
