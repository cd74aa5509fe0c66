/** The queues, by name. A row that sends to one says so; the stack declares each with its dead-letter queue. */
export const queueNames = [
  "deliveries",
  "executions",
  "housekeeping",
  "registrations",
  "subscribers",
] as const;

/** Name of a queue. */
export type QueueName = (typeof queueNames)[number];

/** The environment variable that holds the URL of a queue. */
export const queueVariable = (queue: QueueName): string => `QUEUE_URL_${queue.toUpperCase()}`;
