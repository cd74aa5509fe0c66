/**
 * Messages of the log, with their levels: the only ones that `log` writes. `{operation}` is replaced by the row's
 * operation.
 */
export const logMessages = {
  "operation-completed": { level: "info", text: "{operation} completed" },
  "operation-failed": { level: "error", text: "{operation} failed" },
  "operation-deferred": { level: "info", text: "{operation} deferred" },
  "deferral-failed": { level: "warn", text: "failed to defer a message of {operation}" },
  "deferrals-unreadable": { level: "warn", text: "failed to read the deferrals of a message" },
  "dead-letter-failed": {
    level: "error",
    text: "failed to move a message to the dead-letter queue",
  },
  "visibility-change-failed": { level: "warn", text: "failed to change a visibility timeout" },
  "idempotency-claim-lost": {
    level: "warn",
    text: "{operation} lost its idempotency claim before it completed",
  },
  "idempotency-write-failed": {
    level: "error",
    text: "failed to store the response of {operation}",
  },
  "idempotency-release-failed": {
    level: "error",
    text: "failed to release the idempotency claim of {operation}",
  },
  "rate-limit-counter-failed": {
    level: "error",
    text: "failed to count a request against its rate limit",
  },
  "slot-not-taken": { level: "warn", text: "failed to take a tenant slot" },
  "slot-not-renewed": { level: "warn", text: "failed to renew a tenant slot" },
  "slot-not-released": { level: "warn", text: "failed to release a tenant slot" },
  "event-not-queued": { level: "warn", text: "failed to queue an event; the outbox sweep retries" },
  "event-not-resent": { level: "error", text: "failed to queue an event of the outbox" },
  "outbox-unreadable": { level: "error", text: "events in the outbox are not of this release" },
  "event-destination-deactivated": { level: "info", text: "event destination deactivated" },
  "event-destination-not-saved": {
    level: "warn",
    text: "failed to save the last delivery of an event destination",
  },
  "notification-lease-not-released": {
    level: "warn",
    text: "failed to release the lease of a notification",
  },
  "mail-dropped": { level: "warn", text: "mail dropped: hourly limit reached" },
  "mails-disabled": {
    level: "warn",
    text: "alert mails are disabled: ALERT_EMAIL_FROM is not set",
  },
  "budget-threshold-crossed": { level: "warn", text: "budget threshold crossed" },
  "budget-thresholds-unchecked": { level: "error", text: "failed to check budget thresholds" },
  "execution-abandoned": { level: "error", text: "execution abandoned" },
  "execution-abandon-incomplete": {
    level: "warn",
    text: "failed to complete the abandonment of an execution",
  },
  "wake-up-lost": {
    level: "error",
    text: "waiting execution continued without its wake-up, which did not arrive",
  },
  "connection-not-revoked": {
    level: "warn",
    text: "tokens of a deleted connection were not revoked",
  },
  "tools-not-offered": {
    level: "warn",
    text: "an MCP server offers its agents without the tools of its config",
  },
  "schedules-left": {
    level: "warn",
    text: "failed to delete the schedules of waits that have ended",
  },
  "execution-continues": { level: "error", text: "execution continues in another function" },
  "execution-not-created": { level: "warn", text: "failed to create an execution" },
  "session-not-summarized": { level: "warn", text: "failed to summarize a session" },
  "turns-not-hidden": { level: "warn", text: "failed to hide sessions of a deleted person" },
  "turns-not-deleted": { level: "warn", text: "failed to delete objects of turns" },
  "executions-not-queued": { level: "warn", text: "failed to queue executions" },
  "execution-not-ended-at-once": {
    level: "info",
    text: "an execution takes too long to be written with its end, and is started",
  },
  "execution-not-found": { level: "info", text: "found no execution to evaluate or remember" },
  "execution-not-written": { level: "warn", text: "failed to write the end of an execution" },
  "execution-not-released": { level: "warn", text: "failed to release an execution" },
  "execution-lease-not-renewed": {
    level: "warn",
    text: "failed to renew the lease of an execution",
  },
  "end-message-not-queued": {
    level: "warn",
    text: "failed to queue a message about an ended execution; the outbox sweep retries",
  },
  "steps-not-stored": { level: "warn", text: "failed to store finished steps" },
  "steps-not-deleted": { level: "warn", text: "failed to delete stored steps" },
  "sub-agent-failed": { level: "warn", text: "sub-agent run failed" },
  "sub-agent-unreadable": { level: "warn", text: "failed to read the status of a sub-agent" },
  "scheduled-run-not-started": { level: "warn", text: "scheduled run not started" },
  "experiment-run-not-scored": { level: "warn", text: "failed to score a run of an experiment" },
  "score-missing": { level: "warn", text: "scorer returned no score" },
  "dataset-claim-not-released": { level: "warn", text: "failed to release the claim of a dataset" },
  "approved-message-not-queued": {
    level: "warn",
    text: "failed to queue an approved message; the sweep retries",
  },
  "chat-run-refused": { level: "warn", text: "agent refused to run for a chat message" },
  "chat-reply-refused": { level: "error", text: "chat provider refused a reply" },
  "approval-not-shown": {
    level: "warn",
    text: "an approval has no message in its chat: the connector is not active or does not exist",
  },
  "approval-message-refused": {
    level: "error",
    text: "chat provider refused the message of an approval",
  },
  "approval-press-ignored": {
    level: "warn",
    text: "a press of an approval's button came from another chat",
  },
  "feedback-not-written": { level: "warn", text: "failed to write the feedback of a chat user" },
  "file-unreadable": { level: "error", text: "failed to extract the text of a file" },
  "asset-not-refreshed": { level: "warn", text: "failed to refresh an asset" },
  "assets-left-to-refresh": {
    level: "warn",
    text: "time ran out before all assets were refreshed",
  },
  "memories-not-expired": { level: "warn", text: "failed to remove expired memories" },
  "memories-left-to-expire": {
    level: "warn",
    text: "time ran out before all expired memories were removed",
  },
  "sync-progress-not-written": {
    level: "warn",
    text: "failed to write the progress of a synchronization",
  },
  "mcp-call-failed": { level: "error", text: "MCP call failed" },
  "subscription-notified-alone": {
    level: "warn",
    text: "subscription notified by a message of its own",
  },
  "event-not-matched": {
    level: "warn",
    text: "the match of a wait failed or had no time left",
  },
  "listener-maybe-left": { level: "warn", text: "a listener may remain at the provider" },
  "listener-left": { level: "warn", text: "a listener remains at the provider" },
  "listener-without-config": {
    level: "warn",
    text: "a listener remains at the provider: its integration config is deleted",
  },
  "listener-in-use": { level: "warn", text: "listener not removed: it is in use" },
  "listener-not-renewed": { level: "warn", text: "failed to renew a listener" },
  "listeners-left-to-renew": {
    level: "warn",
    text: "time ran out before all listeners were renewed",
  },
} as const satisfies Record<string, { level: "info" | "warn" | "error"; text: string }>;

/** Name of a log message. */
export type LogMessage = keyof typeof logMessages;

/** Operational metrics with their units: the only ones that `countOccurrence` and `recordSeconds` write. */
export const metrics = {
  // Responses that a repeated request will not get, because they could not be stored.
  IdempotencyWriteFailed: "count",
  // Requests that were admitted without a rate limit, because storage did not count them.
  RateLimitCounterFailed: "count",
  // Units of work that ran outside their tenant's limit, because storage did not count them.
  TenantSlotsFailed: "count",
  // Waiting executions that recovery continued, because their wake-up did not arrive.
  WakeUpLost: "count",
  // Age of deferred work since it was first sent: the highest of a call.
  DeferredWorkAge: "seconds",
} as const satisfies Record<string, "count" | "seconds">;

/** Name of an operational metric. */
export type MetricName = keyof typeof metrics;

/** Name of an operational metric of a unit. */
export type MetricWithUnit<Unit extends "count" | "seconds"> = {
  [Name in MetricName]: (typeof metrics)[Name] extends Unit ? Name : never;
}[MetricName];

/**
 * The only dimension of the metrics: one value for all functions, so that an alarm evaluates one metric for the whole
 * installation. The log has the function.
 */
export const metricDimension = { service: "all" } as const;
