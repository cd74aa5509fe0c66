/** The queues, by name. A row that sends to one says so; the stack declares each with its dead-letter queue. */
export const queueNames = [
  "calls",
  "chats",
  "deliveries",
  "events",
  "executions",
  "housekeeping",
  "mails",
  "registrations",
  "schedules",
  "subscribers",
] as const;

/**
 * Those that hand out the messages of a group one after the other, in the order in which they were sent; the
 * others are fair between groups.
 */
export const orderedQueues: readonly string[] = ["chats"];

/** How often a message is tried before it becomes a dead letter. */
export const mostAttempts = 5;

/** Name of a queue. */
export type QueueName = (typeof queueNames)[number];

/** The environment variable that holds the URL of a queue. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;
